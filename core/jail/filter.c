/* filter.c - the system call filters, made at build time from jail/syscalls.h, and their installation.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail/inside.h"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5) /* linux/seccomp.h 5.19 */
#endif

static const struct sock_filter filter[] = {
#include "jail/filter.inc"
};

static const struct sock_filter filter_asks[] = {
#include "jail/filter-asks.inc"
};

static const struct sock_filter filter_strict[] = {
#include "jail/filter-strict.inc"
};

static const struct sock_filter filter_strict_asks[] = {
#include "jail/filter-strict-asks.inc"
};

static const struct {
	const struct sock_filter *ops;
	size_t count;
} filters[2][2] = {
	{ { filter, ARRAY_LEN(filter) }, { filter_asks, ARRAY_LEN(filter_asks) } },
	{ { filter_strict, ARRAY_LEN(filter_strict) },
		{ filter_strict_asks, ARRAY_LEN(filter_strict_asks) } },
};

static int
install(bool is_strict, bool asks, unsigned long flags)
{
	struct sock_fprog program = { .len = (unsigned short)filters[is_strict][asks].count,
		.filter = (struct sock_filter *)filters[is_strict][asks].ops };
	long r = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);

	return r < 0 ? -errno : (int)r;
}

/* EBUSY: a listener of somebody above us stands there already, as in a sandbox that has one; its
 * answers go before ours. */
int
filter_install(bool is_strict, bool asks, int *ret_listener, struct err *e)
{
	int r = -ENOSYS;

	*ret_listener = -1;
	if (asks) {
		/* While init answers, only death interrupts: an answer is never lost. */
		r = install(is_strict, true,
			SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
		if (r == -EINVAL)
			r = install(is_strict, true, SECCOMP_FILTER_FLAG_NEW_LISTENER);
		if (r >= 0) {
			*ret_listener = r;
			return 0;
		}
	}
	if (!asks || r == -EBUSY || r == -EINVAL)
		r = install(is_strict, false, 0);
	if (r < 0)
		return err_errno(e, r,
			"install the seccomp filter (the kernel needs CONFIG_SECCOMP_FILTER)");
	return 0;
}
