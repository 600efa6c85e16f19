/* tables.h - what of the host a sandbox is shown: an allow-list.
 * Contract:  nothing that is not named here becomes visible. Entries that a machine does not have
 * are left out of the plan; so is everything that not everybody on the machine may read, because a
 * sandbox is nobody special. Each entry costs some 15 us of a session's start: configuration that
 * only its package's own tools read is left out.
 */
#pragma once

#include <stdbool.h>
#include <sys/sysmacros.h>

/* Directories shown read-only as they are. Where the host has a symlink (merged /usr), the sandbox
 * gets the same symlink. */
static const struct {
	const char *path;
	const char *why;
} plan_roots[] = {
	{ "/usr",
		"programs and libraries of the host; read-only with everything mounted below it" },
	{ "/bin", "programs on hosts without merged /usr" },
	{ "/sbin", "programs on hosts without merged /usr" },
	{ "/lib", "libraries on hosts without merged /usr" },
	{ "/lib32", "libraries on hosts without merged /usr" },
	{ "/lib64", "the dynamic loader's fixed place" },
	{ "/libx32", "libraries on hosts without merged /usr" },
	{ "/opt", "add-on software of the host" },
	{ "/nix", "programs and libraries of hosts that use Nix" },
};

/* Names in /etc. Never shadow, sudoers, ssh, cloud, kubernetes or database configuration: what is
 * not here does not exist. */
static const struct {
	const char *name;
	const char *why;
} plan_etc[] = {
	{ "ld.so.cache", "the loader finds libraries" },
	{ "ld.so.conf", "ldconfig and builds find libraries" },
	{ "ld.so.conf.d", "ldconfig and builds find libraries" },
	{ "alternatives", "programs in /usr/bin are symlinks into it" },
	{ "ssl", "certificates of authorities" },
	{ "pki", "certificates of authorities on other distributions" },
	{ "crypto-policies", "what TLS libraries may use, on other distributions" },
	{ "localtime", "time zone" },
	{ "timezone", "time zone" },
	{ "terminfo", "terminals" },
	{ "bash.bashrc", "the shell's prompt and completion" },
	{ "bashrc", "the shell's prompt and completion, on other distributions" },
	{ "bash_completion.d", "the shell's completion" },
	{ "profile", "the login shell's start" },
	{ "profile.d", "the login shell's start" },
	{ "inputrc", "keys of the shell's line editor" },
	{ "shells", "chsh and editors ask which shells there are" },
	{ "vim", "the editor's defaults" },
	{ "nanorc", "the editor's defaults" },
	{ "emacs", "the editor's defaults" },
	{ "python3", "interpreter configuration" },
	{ "python3.11", "interpreter configuration" },
	{ "python3.12", "interpreter configuration" },
	{ "python3.13", "interpreter configuration" },
	{ "nodejs", "interpreter configuration" },
	{ "java", "interpreter configuration" },
	{ "java-11-openjdk", "interpreter configuration" },
	{ "java-17-openjdk", "interpreter configuration" },
	{ "java-21-openjdk", "interpreter configuration" },
	{ "debian_version", "what system this is" },
	{ "os-release", "what system this is" },
	{ "lsb-release", "what system this is" },
	{ "magic", "file(1)" },
	{ "mime.types", "types of files" },
	{ "protocols", "names of network protocols" },
	{ "services", "names of ports" },
	{ "host.conf", "how names are resolved" },
	{ "gai.conf", "how addresses are ordered" },
	{ "login.defs", "limits of ids that tools ask for" },
	{ "locale.alias", "languages" },
	{ "locale.conf", "languages" },
	{ "manpath.config", "man(1)" },
	{ "xattr.conf", "cp(1) and tar(1) ask which attributes to copy" },
	{ "fonts", "what to draw text with" },
	{ "chromium.d", "the browser's start" },
	{ "mtab", "the mounts of the sandbox, by a symlink into /proc" },
};

/* Device nodes: their numbers are checked, so that nothing else can be passed off as one. */
static const struct {
	const char *name;
	unsigned major, minor;
} plan_devices[] = {
	{ "null", 1, 3 },
	{ "zero", 1, 5 },
	{ "full", 1, 7 },
	{ "random", 1, 8 },
	{ "urandom", 1, 9 },
	{ "tty", 5, 0 },
};

static const struct {
	const char *name, *target;
} plan_dev_links[] = {
	{ "fd", "/proc/self/fd" },
	{ "stdin", "/proc/self/fd/0" },
	{ "stdout", "/proc/self/fd/1" },
	{ "stderr", "/proc/self/fd/2" },
	{ "ptmx", "pts/ptmx" },
};

/* Names in /proc that the strict profile hides or makes read-only. What a kernel does not have is
 * left out. */
static const struct {
	const char *name;
	bool is_hidden; /* else read-only */
	const char *why;
} plan_proc_masks[] = {
	{ "keys", true, "names of the user's keys" },
	{ "key-users", true, "numbers of the users' keys" },
	{ "kallsyms", true, "addresses of the kernel" },
	{ "kcore", true, "memory of the machine" },
	{ "kmsg", true, "the kernel's log" },
	{ "iomem", true, "addresses of devices" },
	{ "ioports", true, "addresses of devices" },
	{ "vmallocinfo", true, "addresses of the kernel" },
	{ "slabinfo", true, "what others make the kernel do" },
	{ "pagetypeinfo", true, "what others make the kernel do" },
	{ "timer_list", true, "timers of other processes" },
	{ "sched_debug", true, "other processes" },
	{ "latency_stats", true, "other processes" },
	{ "config.gz", true, "how the kernel was built" },
	{ "interrupts", true, "typing can be timed by it" },
	{ "softirqs", true, "typing can be timed by it" },
	{ "sysrq-trigger", false, "reboots the machine" },
	{ "sys", false, "settings of the machine" },
	{ "irq", false, "settings of the machine" },
	{ "bus", false, "devices" },
	{ "fs", false, "settings of file systems" },
};
