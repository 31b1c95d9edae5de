// SPDX-License-Identifier: GPL-2.0-or-later
// Facts about kernel modules: why one could not be loaded, and where the kernel and modules lie in memory.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "staprun.h"

// --- why it failed ----------------------------------------------------------------

// Prints the last line of the kernel's log that is about the module or about lockdown.
static void print_kernel_log(const char *name)
{
	static char log[1 << 16];
	int n = klogctl(3 /* SYSLOG_ACTION_READ_ALL */, log, sizeof(log) - 1);
	char *line, *next, *last = NULL, mention[80];

	if (n <= 0)
		return;
	log[n] = 0;
	snprintf(mention, sizeof(mention), "%s: ", name);
	for (line = log; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		if (strstr(line, mention) || strstr(line, "Lockdown:"))
			last = line;
	}
	if (last)
		fprintf(stderr, "  the kernel's log says: %s\n", last);
}

static int locked_down(void)
{
	char text[128] = "";
	int fd = open("/sys/kernel/security/lockdown", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = 0;
	close(fd);
	return text[0] && !strstr(text, "[none]");
}

static const char *cure(int problem)
{
	switch (problem) {
	case ENOEXEC:
		return "the module was built for another kernel (vermagic) or is damaged; "
		       "compile the script again for the running one";
	case EKEYREJECTED:
	case ENOKEY:
		return "the kernel takes signed modules only (Secure Boot or module.sig_enforce); "
		       "sign it with a key the machine trusts "
		       "(mokutil --import, then sign-file), or switch Secure Boot off";
	case EPERM:
		return locked_down()
			       ? "the kernel is locked down, usually because of Secure Boot; sign modules or switch Secure Boot off"
			       : "loading modules is not permitted here: a container, kernel.modules_disabled=1, or no CAP_SYS_MODULE";
	case ENOSYS:
		return "this kernel has no loadable modules; run the script in a virtual machine (stap --vm) or with --runtime=user";
	case EEXIST:
	case EBUSY: return "a module of this name is loaded and in use; is the script running already?";
	case ENOENT: return "the module needs a symbol that the running kernel does not have; compile the script again";
	case ENOMEM: return "not enough memory for the script's arrays; lower MAXMAPENTRIES or the arrays' sizes";
	case EINVAL: return "the kernel found the module invalid";
	}
	return NULL;
}

void explain_load_failure(int problem, const char *path, const char *name, const char *hint)
{
	struct utsname u;

	if (!hint)
		hint = cure(problem);

	error("the kernel refused to load %s: %s", path, strerror(problem));
	if (hint)
		fprintf(stderr, "  hint: %s\n", hint);
	if (problem == ENOEXEC && !uname(&u))
		fprintf(stderr, "  the running kernel is %s\n", u.release);
	print_kernel_log(name);
}

// --- addresses ----------------------------------------------------------------------

unsigned long long kernel_text_address(void)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	unsigned long long address, found = 0;
	char line[512], name[256], type;

	while (f && !found && fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx %c %255s", &address, &type, name) == 3 && !strcmp(name, "_stext"))
			found = address;
	if (f)
		fclose(f);
	return found;
}

struct section_list {
	struct stap_ioc_module *all;
	unsigned count, room;
};

// A file of a module in sysfs, which has `_` for the `-` in a module's name. NULL when there is none.
static FILE *open_module_file(const char *module, const char *file)
{
	char path[400];

	snprintf(path, sizeof(path), "/sys/module/%.63s/%.48s", module, file);
	for (char *c = path + strlen("/sys/module/"); *c != '/'; c++)
		if (*c == '-')
			*c = '_';
	return fopen(path, "re");
}

static int is_live(const char *module)
{
	char state[16] = "";
	FILE *f = open_module_file(module, "initstate");

	if (f && fscanf(f, "%15s", state) != 1)
		state[0] = 0;
	if (f)
		fclose(f);
	return !strcmp(state, "live");
}

static void add_section(struct section_list *list, const char *module, const char *section)
{
	unsigned long long address = 0;
	struct stap_ioc_module *m;
	char file[48];
	FILE *f;

	snprintf(file, sizeof(file), "sections/%.31s", section);
	f = open_module_file(module, file);
	if (f && fscanf(f, "%llx", &address) != 1)
		address = 0;
	if (f)
		fclose(f);
	// Looked at afterwards: the script's module, which has been there all the time, is told when one goes that is
	// still there now; and one that is just coming, it is told of when it is there.
	if (!address || !is_live(module))
		return;
	if (list->count == list->room) {
		m = realloc(list->all, (list->room + 256) * sizeof(*m));
		if (!m)
			return;
		list->all = m;
		list->room += 256;
	}
	m = &list->all[list->count++];
	memset(m, 0, sizeof(*m));
	snprintf(m->name, sizeof(m->name), "%.63s", module);
	snprintf(m->section, sizeof(m->section), "%.31s", section);
	m->address = address;
}

struct stap_ioc_module *needed_sections(int proc_fd, unsigned *count)
{
	struct section_list list = {0};
	struct stap_ioc_section s = {0};

	for (; !ioctl(proc_fd, STAP_IOC_SECTION, &s); s.index++) {
		s.name[sizeof(s.name) - 1] = 0;
		s.section[sizeof(s.section) - 1] = 0;
		add_section(&list, s.name, s.section);
	}
	*count = list.count;
	return list.all;
}
