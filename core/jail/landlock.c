#include "jail/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail/plan.h"
#include "sandesk/base/auto.h"
#include "sandesk/base/fd.h"

struct ruleset {
	uint64_t fs, net, scoped;
};

struct rule_below {
	uint64_t allowed;
	int32_t dir;
} __attribute__((packed));

enum { VERSION = 1, RULE_PATH_BENEATH = 1, SCOPE_ABSTRACT = 1, SCOPE_SIGNAL = 2 };

#define FS_EXECUTE (1ULL << 0)
#define FS_WRITE (1ULL << 1)
#define FS_READ (1ULL << 2)
#define FS_READ_DIR (1ULL << 3)
#define FS_REMOVE_DIR (1ULL << 4)
#define FS_REMOVE_FILE (1ULL << 5)
#define FS_MAKE_CHAR (1ULL << 6)
#define FS_MAKE_DIR (1ULL << 7)
#define FS_MAKE_REG (1ULL << 8)
#define FS_MAKE_SOCK (1ULL << 9)
#define FS_MAKE_FIFO (1ULL << 10)
#define FS_MAKE_BLOCK (1ULL << 11)
#define FS_MAKE_SYM (1ULL << 12)
#define FS_REFER (1ULL << 13)
#define FS_TRUNCATE (1ULL << 14)
#define FS_IOCTL_DEV (1ULL << 15)

/* What a file can be asked for; the rest is about directories (landlock(7)). */
#define FS_OF_FILES (FS_EXECUTE | FS_WRITE | FS_READ | FS_TRUNCATE | FS_IOCTL_DEV)
#define FS_LOOK (FS_EXECUTE | FS_READ | FS_READ_DIR)
#define FS_TREE                                                                                    \
	(FS_WRITE | FS_TRUNCATE | FS_REMOVE_DIR | FS_REMOVE_FILE | FS_MAKE_DIR | FS_MAKE_REG |     \
		FS_MAKE_SYM | FS_REFER)
#define FS_SCRATCH (FS_TREE | FS_MAKE_SOCK | FS_MAKE_FIFO)
#define FS_DEVICE (FS_WRITE | FS_IOCTL_DEV)

/* Rights that the kernel knows, by the ABI that brought them. */
static uint64_t
rights_of(int abi)
{
	uint64_t all = FS_REFER - 1;

	all |= abi >= 2 ? FS_REFER : 0;
	all |= abi >= 3 ? FS_TRUNCATE : 0;
	all |= abi >= 5 ? FS_IOCTL_DEV : 0;
	return all;
}

int
landlock_abi(void)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, VERSION);

	return abi < 0 ? 0 : (int)abi;
}

static int
make_rules(uint64_t fs, int abi)
{
	struct ruleset r = { .fs = fs,
		.scoped = abi >= LANDLOCK_ABI_SCOPES ? SCOPE_ABSTRACT | SCOPE_SIGNAL : 0 };
	size_t size = abi >= LANDLOCK_ABI_SCOPES ? sizeof r : sizeof r.fs;
	int fd = (int)syscall(SYS_landlock_create_ruleset, &r, size, 0);

	return fd < 0 ? -errno : fd;
}

static int
restrict_self(int rules)
{
	return syscall(SYS_landlock_restrict_self, rules, 0) ? -errno : 0;
}

int
landlock_scopes(struct err *e)
{
	int abi = landlock_abi(), r;
	AUTO(fd) int rules = -1;

	/* Without it the namespaces alone hold these two walls; doctor names the missing second
	 * one. */
	if (abi < LANDLOCK_ABI_SCOPES)
		return 0;
	rules = make_rules(0, abi);
	r = rules < 0 ? rules : restrict_self(rules);
	return r ? err_errno(e, r, "restrict signals and abstract sockets by Landlock") : 0;
}

static int
allow(int rules, int at, uint64_t what)
{
	struct rule_below rule = { what, at };

	return syscall(SYS_landlock_add_rule, rules, RULE_PATH_BENEATH, &rule, 0) ? -errno : 0;
}

/* What is not there needs no rule. */
static int
allow_path(int rules, const char *path, uint64_t what)
{
	AUTO(fd) int at = open(path, O_PATH | O_CLOEXEC);
	struct stat st;

	if (at < 0 || fstat(at, &st))
		return 0;
	return allow(rules, at, S_ISDIR(st.st_mode) ? what : what & FS_OF_FILES);
}

static uint64_t
rights_at(const struct plan_step *s)
{
	switch (s->op) {
	case PLAN_BIND_RW:
		return FS_LOOK | FS_TREE;
	case PLAN_SCRATCH:
		return FS_LOOK | FS_SCRATCH;
	case PLAN_DEVICE:
	case PLAN_CONSOLE:
	case PLAN_PTS:
		return FS_LOOK | FS_DEVICE;
	case PLAN_PROC:
		return FS_LOOK | FS_WRITE;
	default:
		return 0;
	}
}

int
landlock_files(const struct plan *p, struct err *e)
{
	int abi = landlock_abi(), r;
	uint64_t all = rights_of(abi);
	AUTO(fd) int rules = -1;

	if (!abi)
		return 0; /* doctor names the missing wall; the policy may demand it */
	rules = make_rules(all, abi);
	r = rules < 0 ? rules : allow_path(rules, "/", FS_LOOK & all);
	for (size_t i = 0; !r && i < p->nsteps; i++) {
		uint64_t what = rights_at(&p->steps[i]) & all;
		char path[4096];

		if (!what)
			continue;
		snprintf(path, sizeof path, "/%s", p->steps[i].to);
		r = allow_path(rules, path, what);
	}
	r = r ? r : restrict_self(rules);
	return r ? err_errno(e, r, "restrict files by Landlock") : 0;
}

int
landlock_make_only_below(int dir)
{
	struct ruleset only = { .fs = FS_MAKE_SOCK };
	AUTO(fd) int rules = (int)syscall(SYS_landlock_create_ruleset, &only, sizeof only.fs, 0);
	int r = rules < 0 ? -errno : allow(rules, dir, FS_MAKE_SOCK);

	return r ? r : restrict_self(rules);
}
