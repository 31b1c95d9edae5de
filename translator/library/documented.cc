// SPDX-License-Identifier: GPL-2.0-or-later
// What the SystemTap manual documents and stap does not have yet: names of functions and of probe points.
#include "library/documented.h"

#include <set>
#include <sstream>

namespace {

// The functions of stapfuncs(3stap) that tapsets/ lacks.
const char *const functions = R"(
addr_to_node asmlinkage cmdline_arg cmdline_args cmdline_str commit cpuid cputime_to_msecs cputime_to_string
cputime_to_usecs current_exe_file d_name d_path delete_stopwatch discard dump_stack env_var fastcall fp32_to_fp64
fp_add fp_div fp_eq fp_le fp_lt fp_mul fp_rem fp_sqrt fp_sub fp_to_long fp_to_string ftrace fullpath_struct_file
fullpath_struct_nameidata fullpath_struct_path get_loadavg_index get_sa_flags get_sa_handler inet_get_ip_source
inet_get_local_port inode_name inode_path ipmib_filter_key ipmib_get_proto ipmib_local_addr ipmib_remote_addr
ipmib_tcp_local_port ipmib_tcp_remote_port is_myproc is_sig_blocked json_add_array json_add_array_numeric_metric
json_add_array_string_metric json_add_numeric_metric json_add_string_metric json_set_prefix
kernel_or_user_string_quoted_utf16 kernel_or_user_string_quoted_utf32 kernel_string_quoted_utf16
kernel_string_quoted_utf32 kernel_string_utf16 kernel_string_utf32 linuxmib_filter_key long_to_fp mdelay
module_size nfsderror ns_egid ns_euid ns_gid ns_pgrp ns_pid ns_ppid ns_sid ns_tid ns_uid panic pid2execname
pid2task pnlabel print_backtrace_fileline print_ubacktrace print_ubacktrace_brief print_ubacktrace_fileline
print_ustack print_usyms printk probe_type proc_mem_data proc_mem_rss proc_mem_shr proc_mem_size proc_mem_string
proc_mem_txt pstrace qs_done qs_run qs_wait qsq_blocked qsq_print qsq_service_time qsq_start qsq_throughput
qsq_utilization qsq_wait_queue_length qsq_wait_time raise read_stopwatch_ms read_stopwatch_ns read_stopwatch_s
read_stopwatch_us real_mount regparm remote_id remote_uri reverse_path_walk rlimit_from_str sa_flags_str sa_handler
sa_handler_str set_int_arg set_kernel_char set_kernel_int set_kernel_long set_kernel_pointer set_kernel_short
set_kernel_string set_kernel_string_n set_long_arg set_longlong_arg set_pointer_arg set_s32_arg set_s64_arg
set_u32_arg set_u64_arg set_uint_arg set_ulong_arg set_ulonglong_arg set_user_char set_user_int set_user_long
set_user_pointer set_user_short set_user_string set_user_string_arg set_user_string_n signal_str sigset_mask_str
sock_fam_num2str sock_fam_str2num sock_prot_num2str sock_prot_str2num sock_state_num2str sock_state_str2num
speculate speculation sprint_loadavg sprint_ubacktrace sprint_ustack sprint_usyms stack_size stack_unused
stack_used start_stopwatch stop_stopwatch stp_pid string_to_fp switch_file symfile symfileline symline
target_set_pid target_set_report task_ancestry task_backtrace task_cpu task_cwd_path task_dentry_path task_egid
task_euid task_exe_file task_execname task_fd_lookup task_gid task_max_file_handles task_nice task_ns_egid
task_ns_euid task_ns_gid task_ns_pid task_ns_tid task_ns_uid task_open_file_handles task_parent task_pid task_prio
task_start_time task_state task_stime task_tid task_time_string task_time_string_tid task_uid task_utime
tcpmib_filter_key tcpmib_get_state tcpmib_local_addr tcpmib_local_port tcpmib_remote_addr tcpmib_remote_port
tz_ctime tz_gmtoff tz_name uaddr ubacktrace ucallers udelay umodname user_string_quoted_utf16
user_string_quoted_utf32 user_string_utf16 user_string_utf32 usrdev2kerndev ustack usymdata usymfile usymfileline
usymline usymname vm_fault_contains
)";

// The first words of the probe points in stapprobes(3stap) and of the tapset's aliases.
const char *const probe_points = R"(
input ioblock ioblock_trace ioscheduler ioscheduler_trace ipmib irq_handler java json_data kprobe kprocess linuxmib
memory netdev netfilter nfs nfsd perf process procfs python2 python3 scheduler scsi signal socket softirq
stap stapio staprun sunrpc tcp tcpmib tty udp vfs vm workqueue
)";

// The words that may follow `kernel` or `module("NAME")`.
const char *const kernel_points = "data mark statement tracepoint";

bool has_word(const char *list, const std::string &word) {
  std::istringstream words(list);
  for (std::string w; words >> w;)
    if (w == word) return true;
  return false;
}

}  // namespace

bool manual_has_function(const std::string &name) { return has_word(functions, name); }

bool manual_has_probe_point(const std::string &first, const std::string &second) {
  if (first == "kernel" || first == "module") return has_word(kernel_points, second);
  return has_word(probe_points, first);
}
