/* filter_gen.c - writes the BPF program of jail/syscalls.h as C, at build time.
 * Contract:  prints the rows of one array of struct sock_filter: a prologue for refusals by argument, then libseccomp's
 *            program for the sets. Generating takes a millisecond, which a session's start does not have, and the keeper need
 *            not carry libseccomp.
 *
 *            load arch -> not native: kill      load nr -> x32 bit: kill
 *            per row of syscall_args:  nr? when? test?  -> return errno, else on to the next row
 *            libseccomp's program, which loads arch and nr again
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
#include <sys/mman.h>
#include <unistd.h>

#include "jail/syscalls.h"
#include "sandesk/base/auto.h"

enum { OPS_MAX = BPF_MAXINSNS };

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
	emit(p, BPF_JMP | BPF_JEQ | BPF_K, seccomp_arch_native() == SCMP_ARCH_X86_64 ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_AARCH64, 1,
		0);
	emit(p, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
	if (seccomp_arch_native() != SCMP_ARCH_X86_64)
		return;
	emit_load(p, offsetof(struct seccomp_data, nr));
	emit(p, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
	emit(p, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
}

/* A test jumps to the refusal, which is the row's last instruction, or over it. Distances are known once the row is laid out. */
static void
emit_row(struct program *p, const struct syscall_arg *row)
{
	int nr = seccomp_syscall_resolve_name(row->call);
	size_t start, refuse, end;

	if (nr < 0) /* not on this architecture */
		return;
	emit_load(p, offsetof(struct seccomp_data, nr));
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
	emit(p, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)row->refuse, 0, 0);
	end = p->len;
	p->ops[start].jf = (uint8_t)(end - start - 1);
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
	uint32_t action = set->refuse ? SCMP_ACT_ERRNO((uint32_t)set->refuse) : SCMP_ACT_ALLOW;

	for (const char *const *call = set->calls; *call; call++) {
		int nr = seccomp_syscall_resolve_name(*call);

		if (nr == __NR_SCMP_ERROR)
			fprintf(stderr, "filter_gen: %s: this libseccomp does not know it\n", *call);
		if (nr >= 0 && seccomp_rule_add(ctx, action, nr, 0) < 0) {
			fprintf(stderr, "filter_gen: %s stands in two sets\n", *call);
			exit(1);
		}
	}
}

/* libseccomp writes a program to a descriptor. */
static void
append_sets(struct program *p)
{
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
	int fd = memfd_create("filter", MFD_CLOEXEC);
	ssize_t n;

	assert(ctx && fd >= 0);
	assert(!seccomp_attr_set(ctx, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
	assert(!seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2));
	for (size_t i = 0; i < ARRAY_LEN(syscall_sets); i++)
		add_set(ctx, &syscall_sets[i]);
	assert(!seccomp_export_bpf(ctx, fd));
	n = pread(fd, p->ops + p->len, sizeof p->ops - p->len * sizeof *p->ops, 0);
	assert(n > 0 && n % (ssize_t)sizeof *p->ops == 0);
	p->len += (size_t)n / sizeof *p->ops;
	close(fd);
	seccomp_release(ctx);
}

int
main(void)
{
	static struct program p;

	emit_arch(&p);
	for (size_t i = 0; i < ARRAY_LEN(syscall_args); i++)
		emit_row(&p, &syscall_args[i]);
	append_sets(&p);
	assert(p.len < OPS_MAX);
	for (size_t i = 0; i < p.len; i++)
		printf("{ 0x%02x, %u, %u, 0x%08x },\n", p.ops[i].code, p.ops[i].jt, p.ops[i].jf, p.ops[i].k);
	return fflush(stdout) || ferror(stdout);
}
