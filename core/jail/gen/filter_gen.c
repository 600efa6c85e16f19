/* filter_gen.c - writes the BPF program of a table of system calls (jail/filter.h) as C, at build
 * time.
 * Contract:  FILTER_TABLE names the table's header. Prints the rows of one array of struct
 * sock_filter. Generating takes a millisecond, which a session's start does not have, and the keeper
 * need not carry libseccomp.
 *
 *            load arch -> not native: kill      load nr -> x32 bit: kill
 *            per row of syscall_args:  nr? when? test?  -> return errno, else on to the next row
 *            what libseccomp's program for the sets answers to each number, as a search tree over
 * runs of equal answers
 *
 *            libseccomp's own program has an instruction per call; installing 430 of them takes the
 * kernel 0.1 ms, a tenth of a session's start, because it compiles them and runs them once for each
 * number. So its program is run here, for every number, and the answers are written down shorter.
 * Source:    seccomp(2), libseccomp's seccomp_export_bpf(3).
 */
#include <assert.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include FILTER_TABLE
#include "sandesk/base/auto.h"

enum { OPS_MAX = BPF_MAXINSNS, NUMBERS = 2048, X32_BIT = 0x40000000 };

struct program {
	struct sock_filter ops[OPS_MAX];
	size_t len;
};

static void
emit(struct program *p, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
	assert(p->len < OPS_MAX);
	p->ops[p->len++] = (struct sock_filter){ .code = code, .jt = yes, .jf = no, .k = k };
}

static void
emit_load(struct program *p, size_t offset)
{
	emit(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* The low half of an argument, masked. Both architectures we build for are little endian. */
static void
emit_load_arg(struct program *p, int arg, uint32_t mask)
{
	emit_load(p, offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (size_t)arg);
	if (mask != 0xffffffff)
		emit(p, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
}

static void
emit_arch(struct program *p)
{
	emit_load(p, offsetof(struct seccomp_data, arch));
	emit(p, BPF_JMP | BPF_JEQ | BPF_K,
		seccomp_arch_native() == SCMP_ARCH_X86_64 ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_AARCH64,
		1, 0);
	emit(p, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
	if (seccomp_arch_native() != SCMP_ARCH_X86_64)
		return;
	emit_load(p, offsetof(struct seccomp_data, nr));
	emit(p, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
	emit(p, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
}

#ifdef FILTER_ASKS
enum { ASKS = 1 };
#else
enum { ASKS = 0 };
#endif

static uint32_t
refusal(int refuse)
{
	return refuse == SYSCALL_ASK ? SECCOMP_RET_USER_NOTIF
				     : SECCOMP_RET_ERRNO | (uint32_t)refuse;
}

/* The number is loaded when a row begins, and again at its end when arguments took its place. A
 * test jumps to the refusal, or to that end; another number jumps over it. Distances are known once
 * the row is laid out. */
static void
emit_row(struct program *p, const struct syscall_arg *row)
{
	int nr = seccomp_syscall_resolve_name(row->call);
	size_t start, refuse, end;

	if (nr < 0 || (row->refuse == SYSCALL_ASK && !ASKS)) /* not on this architecture */
		return;
	start = p->len;
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)nr, 0, 0);
	size_t when = 0;
	if (row->when.is_used) {
		emit_load_arg(p, row->when.arg, row->when.mask);
		when = p->len;
		emit(p, BPF_JMP | BPF_JEQ | BPF_K, row->when.value, 0, 0);
	}
	emit_load_arg(p, row->arg, row->mask);
	size_t tests = p->len;
	if (row->test == ARG_ANY_BIT)
		emit(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 0);
	for (int i = 0; row->test != ARG_ANY_BIT && i < row->nvalues; i++)
		emit(p, BPF_JMP | BPF_JEQ | BPF_K, row->values[i], 0, 0);
	if (row->test == ARG_IS_ONE_OF) /* none matched */
		emit(p, BPF_JMP | BPF_JA, 1, 0, 0);
	refuse = p->len;
	emit(p, BPF_RET | BPF_K, refusal(row->refuse), 0, 0);
	end = p->len;
	emit_load(p, offsetof(struct seccomp_data, nr));
	p->ops[start].jf = (uint8_t)(p->len - start - 1);
	if (when && row->when.value)
		p->ops[when].jf = (uint8_t)(end - when - 1);
	else if (when)
		p->ops[when].jt = (uint8_t)(end - when - 1);
	for (size_t i = tests; i < refuse && BPF_OP(p->ops[i].code) == BPF_JEQ; i++)
		p->ops[i].jt = (uint8_t)((row->test == ARG_IS_ONE_OF ? refuse : end) - i - 1);
}

static void
add_set(scmp_filter_ctx ctx, const struct syscall_set *set)
{
	uint32_t action = set->refuse == SYSCALL_ASK && ASKS ? SCMP_ACT_NOTIFY
			  : set->refuse > 0		     ? SCMP_ACT_ERRNO((uint32_t)set->refuse)
							     : SCMP_ACT_ALLOW;

	for (const char *const *call = set->calls; *call; call++) {
		int nr = seccomp_syscall_resolve_name(*call);

		if (nr == __NR_SCMP_ERROR)
			fprintf(stderr, "filter_gen: %s: this libseccomp does not know it\n",
				*call);
		if (nr >= 0 && seccomp_rule_add(ctx, action, nr, 0) < 0) {
			fprintf(stderr, "filter_gen: %s stands in two sets\n", *call);
			exit(1);
		}
	}
}

/* libseccomp's program for the sets; it writes to a descriptor. */
static void
make_sets(struct program *p)
{
	scmp_filter_ctx ctx;
	int fd = memfd_create("filter", MFD_CLOEXEC);
	ssize_t n;

	/* What the kernel that builds can do is not what matters. */
	assert(!seccomp_api_set(6));
	ctx = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
	assert(ctx && fd >= 0);
	assert(!seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
	assert(!seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2));
	for (size_t i = 0; i < ARRAY_LEN(syscall_sets); i++)
		add_set(ctx, &syscall_sets[i]);
	assert(!seccomp_export_bpf(ctx, fd));
	n = pread(fd, p->ops, sizeof p->ops, 0);
	assert(n > 0 && n % (ssize_t)sizeof *p->ops == 0);
	p->len = (size_t)n / sizeof *p->ops;
	close(fd);
	seccomp_release(ctx);
}

/* Runs a program as the kernel does (linux/filter.h), as far as one without arguments and
 * arithmetic goes. */
static uint32_t
answer(const struct program *p, const struct seccomp_data *data)
{
	uint32_t a = 0;

	for (size_t pc = 0; pc < p->len; pc++) {
		const struct sock_filter *op = &p->ops[pc];

		switch (op->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			assert(op->k + sizeof a <= sizeof *data);
			memcpy(&a, (const char *)data + op->k, sizeof a);
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= op->k;
			break;
		case BPF_JMP | BPF_JA:
			pc += op->k;
			break;
		case BPF_JMP | BPF_JEQ | BPF_K:
			pc += a == op->k ? op->jt : op->jf;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			pc += a >= op->k ? op->jt : op->jf;
			break;
		case BPF_JMP | BPF_JGT | BPF_K:
			pc += a > op->k ? op->jt : op->jf;
			break;
		case BPF_RET | BPF_K:
			return op->k;
		default:
			fprintf(stderr, "filter_gen: instruction %#x is not understood\n",
				op->code);
			exit(1);
		}
	}
	assert(!"a program ends with a return");
	return 0;
}

/* Numbers from `from` up to the next run's have one answer. */
struct run {
	uint32_t from, answer;
};

static size_t
find_runs(const struct program *sets, struct run *runs)
{
	struct seccomp_data data = { .arch = seccomp_arch_native() };
	size_t n = 0;

	for (uint32_t nr = 0; nr < NUMBERS; nr++) {
		data.nr = (int)nr;
		uint32_t a = answer(sets, &data);

		if (!n || runs[n - 1].answer != a)
			runs[n++] = (struct run){ nr, a };
	}
	assert(runs[n - 1].answer ==
		(SECCOMP_RET_ERRNO | ENOSYS)); /* for all numbers beyond, too */
	return n;
}

static void
emit_tree(struct program *p, const struct run *runs, size_t n)
{
	size_t node = p->len;

	if (n == 1) {
		emit(p, BPF_RET | BPF_K, runs[0].answer, 0, 0);
		return;
	}
	emit(p, BPF_JMP | BPF_JGE | BPF_K, runs[n / 2].from, 0, 0);
	emit_tree(p, runs, n / 2);
	assert(p->len - node - 1 <= UINT8_MAX);
	p->ops[node].jt = (uint8_t)(p->len - node - 1);
	emit_tree(p, runs + n / 2, n - n / 2);
}

/* The whole program must say what libseccomp's says, but where a row refuses zeros as arguments:
 * then it may only be stricter. */
static void
verify(const struct program *p, const struct program *sets)
{
	struct seccomp_data data = { .arch = seccomp_arch_native() };

	for (uint32_t nr = 0; nr < 2 * NUMBERS; nr++) {
		data.nr = (int)nr;
		uint32_t got = answer(p, &data), want = answer(sets, &data);

		if (got != want && (want != SECCOMP_RET_ALLOW ||
					   ((got & SECCOMP_RET_ACTION) != SECCOMP_RET_ERRNO &&
						   got != SECCOMP_RET_USER_NOTIF))) {
			fprintf(stderr, "filter_gen: call %u: %#x instead of %#x\n", nr, got, want);
			exit(1);
		}
	}
}

int
main(void)
{
	static struct program p, sets;
	static struct run runs[NUMBERS];

	make_sets(&sets);
	emit_arch(&p);
	emit_load(&p, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < ARRAY_LEN(syscall_args); i++)
		emit_row(&p, &syscall_args[i]);
	emit_tree(&p, runs, find_runs(&sets, runs));
	verify(&p, &sets);
	for (size_t i = 0; i < p.len; i++)
		printf("{ 0x%02x, %u, %u, 0x%08x },\n", p.ops[i].code, p.ops[i].jt, p.ops[i].jf,
			p.ops[i].k);
	return fflush(stdout) || ferror(stdout);
}
