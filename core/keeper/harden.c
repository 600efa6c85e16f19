#include "keeper/harden.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandesk/base/auto.h"
#include "sandesk/base/log.h"

static const struct sock_filter filter[] = {
#include "keeper/filter.inc"
};

static const struct sock_filter filter_by_name[] = {
#include "keeper/filter-by-name.inc"
};

/* Hard limits, where the filter leaves no call to raise them again. */
static const struct {
	__rlimit_resource_t what;
	rlim_t most;
	const char *name;
} limits[] = {
	{ RLIMIT_FSIZE, 2 * LOG_BYTES, "the size of files" },
	{ RLIMIT_CORE, 1, "core dumps" },
};

static int
set_limits(struct err *e)
{
	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		struct rlimit now, want = { limits[i].most, limits[i].most };

		if (getrlimit(limits[i].what, &now))
			return err_errno(e, -errno, "limit %s", limits[i].name);
		if (want.rlim_max > now.rlim_max)
			want = (struct rlimit){ now.rlim_max, now.rlim_max };
		if (setrlimit(limits[i].what, &want))
			return err_errno(e, -errno, "limit %s", limits[i].name);
	}
	signal(SIGXFSZ, SIG_IGN); /* a full log is no reason to die */
	return 0;
}

/* SPEC_ALLOW: kernels before 5.16 would else slow the parser down, to protect from code that is not
 * here. */
static int
install(const struct sock_filter *ops, size_t count, struct err *e)
{
	struct sock_fprog program = { .len = (unsigned short)count,
		.filter = (struct sock_filter *)ops };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return err_errno(e, -errno, "give up new privileges");
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program))
		return err_errno(e, -errno,
			"install the seccomp filter (the kernel needs "
			"CONFIG_SECCOMP_FILTER)");
	return 0;
}

int
harden_process(bool peers_by_fd, struct err *e)
{
	int r = set_limits(e);

	if (!r && peers_by_fd)
		r = install(filter, ARRAY_LEN(filter), e);
	else if (!r)
		r = install(filter_by_name, ARRAY_LEN(filter_by_name), e);
	return r ? err_wrap(e, "keeper's own walls") : 0;
}
