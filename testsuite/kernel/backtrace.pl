# SPDX-License-Identifier: GPL-2.0-or-later
# Checks what backtrace.stp printed against /proc/kallsyms: backtrace.pl OUTPUT
use strict;
use warnings;
no warnings 'portable'; # addresses have 64 bits

my $failures = 0;
sub fail { print "FAILED: @_\n"; $failures++ }
sub same { my ($what, $got, $want) = @_; fail("$what is \"$got\", not \"$want\"") if $got ne $want }

# All names of an address, in order of addresses. Data symbols of modules lie between functions, as for the kernel.
my (%names, @addresses);
open my $kallsyms, '<', '/proc/kallsyms' or die "no /proc/kallsyms: $!";
while (<$kallsyms>) {
  my ($address, undef, $name, $module) = split;
  push @{$names{$address}}, $module ? "$name $module" : $name;
}
@addresses = sort keys %names;
fail("/proc/kallsyms shows no addresses") if @addresses < 1000;

# The nearest symbol at or below an address of 16 digits: that address.
sub nearest {
  my ($address) = @_;
  my ($low, $high) = (0, scalar @addresses);
  while ($high - $low > 1) {
    my $middle = int(($low + $high) / 2);
    if ($addresses[$middle] le $address) { $low = $middle } else { $high = $middle }
  }
  return $addresses[$low];
}

# "vfs_read+0x10/0x310" or "rpc+0x1/0x2 [9pnet]" for an address; gives the name.
sub check_data {
  my ($address, $data) = @_;
  my ($name, $offset, $module) = $data =~ /^(\S+)\+0x([0-9a-f]+)\/0x[0-9a-f]+( \[\S+\])?$/
    or return fail("no name, offset and size in \"$data\" of $address");
  my $symbol = nearest(substr($address, 2));
  my $full = $name . ($module // '');
  fail("$address is \"$data\", but in kallsyms @{$names{$symbol}}") unless grep { $_ eq $full } @{$names{$symbol}};
  same("the offset of $data", hex($offset), hex(substr($address, 2)) - hex($symbol));
  return $name;
}

# One context's lines; returns the names on its stack.
sub check_context {
  my ($context, @lines) = @_;
  my (%value, %list, $list);
  for (@lines) {
    if (/^ (0x[0-9a-f]{16}) : (.*)$/) { push @{$list{$list}}, [$1, $2] }
    elsif (/^(s?print_\w+)$/) { $list = $1 }
    elsif (/^(backtrace|callers\(.*?\)|stack\(.*?\)|caller_addr|caller|addr|probefunc) (.*)$/) { $value{$1} = $2 }
    else { push @{$list{$list}}, ['', $_] }
  }
  my @stack = split ' ', $value{backtrace};
  my @data = map { $_->[1] } @{$list{print_backtrace}};
  my @names = map { check_data(@$_) } @{$list{print_backtrace}};
  fail("$context has only " . @stack . " frames") if @stack < 4;
  same("$context print_backtrace", join(' ', map { $_->[0] } @{$list{print_backtrace}}), "@stack");
  for my $how ('print_syms', 'print_stack') {
    same("$context $how", join('; ', map { "@$_" } @{$list{$how}}), join('; ', map { "@$_" } @{$list{print_backtrace}}));
  }
  for my $how ('sprint_backtrace', 'sprint_syms', 'sprint_stack') {
    same("$context $how", join('; ', map { $_->[1] } @{$list{$how}}), join('; ', @data));
  }
  same("$context callers(-1)", $value{'callers(-1)'}, "@stack");
  same("$context callers(2)", $value{'callers(2)'}, "@stack[0, 1]");
  same("$context callers(0)", $value{'callers(0)'}, '');
  same("$context stack($_)", $value{"stack($_)"}, $stack[$_]) for 0 .. 3;
  same("$context stack(1000)", $value{'stack(1000)'}, 0);
  same("$context caller_addr", $value{caller_addr}, $stack[1]);
  same("$context caller", $value{caller}, "$names[1] $stack[1]");
  same("$context addr", $value{addr}, $stack[$context eq 'return' ? 1 : 0]) if $context =~ /^(entry|return|tracepoint|profile)$/;
  same("$context probefunc", $value{probefunc}, $context =~ /^(begin|timer)$/ ? '' : $names[0]);
  return @names;
}

open my $in, '<', $ARGV[0] or die $!;
my %text = join('', <$in>) =~ /^context (.*)\n((?:.*\n)*?)end \1$/mg;
seek $in, 0, 0;
my @rest = grep { /^(symbol|symname|modname|user)/ } <$in>;
chomp @rest;

# What each stack is known to be: patterns for its first three names, and one that is anywhere in it.
my %known = (
  entry => ['vfs_read', 'ksys_read', '(__x64_sys_read|do_syscall_64)', 'entry_SYSCALL_64'],
  return => ['vfs_read', 'ksys_read', '(__x64_sys_read|do_syscall_64)', 'entry_SYSCALL_64'],
  tracepoint => ['do_exit', 'do_group_exit', '__x64_sys_exit_group', 'entry_SYSCALL_64'],
  'one of two' => ['(bprm_execve|exec_binprm)', '(bprm_execve.*|do_execveat_common.*)', '.*', 'entry_SYSCALL_64'],
  'other of two' => ['(bprm_execve|exec_binprm)', '(bprm_execve.*|do_execveat_common.*)', '.*', 'entry_SYSCALL_64'],
  profile => ['.*', '.*', '.*', 'vfs_read'],
  timer => ['__hrtimer_run_queues', 'hrtimer_interrupt', '.*', '.*sysvec_apic_timer_interrupt'],
  begin => ['proc_reg_unlocked_ioctl', '__(x64|se)_sys_ioctl', '(x64_sys_call|do_syscall_64)', 'entry_SYSCALL_64'],
);
for my $context (sort keys %known) {
  my ($first, $second, $third, $later) = @{$known{$context}};
  my @names = defined $text{$context} ? check_context($context, split /\n/, $text{$context}) : ();
  next if @names >= 4 && $names[0] =~ /^$first$/ && $names[1] =~ /^$second$/ && $names[2] =~ /^$third$/ && "@names" =~ /$later/;
  fail("$context has the stack: @names");
}

# symdata, symname and modname of a function of the kernel and of one of a module.
my @symbols = map { [/^symbol (\S+) : (.*)/] } grep { /^symbol/ } @rest;
check_data(@$_) for @symbols;
same('the symbols', join(' ', map { $_->[1] =~ s/\/.*?( |$)/$1/r } @symbols), 'vfs_read+0x0 p9_client_rpc+0x0 [9pnet]');
same('symname', join(' ', map { /^symname (.*)/ } @rest), 'vfs_read p9_client_rpc');
same('modname', join(' ', map { /^modname (.*)/ } @rest), 'kernel 9pnet');
my ($hits, $with_stack) = map { /^user hits (\d+), with a stack (\d+)$/ } @rest;
fail('no tick came in user mode') unless $hits;
same('kernel stacks of ticks in user mode', $with_stack, 0);
exit($failures != 0);
