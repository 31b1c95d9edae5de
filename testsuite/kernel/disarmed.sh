# SPDX-License-Identifier: GPL-2.0-or-later
# A probe whose condition does not hold is taken out of the kernel's code, and put back when it holds again.
. "$SRCDIR/../staprun/guest.inc"
mount -t debugfs none /sys/kernel/debug 2>/dev/null
cat >load.pl <<'END'
use strict;
my $traced = "/sys/kernel/debug/tracing/enabled_functions", my $kprobes = "/sys/kernel/debug/kprobes/list";

sub lines { my ($file, $what) = @_; open(my $f, "<", $file) or die "$file: $!"; return scalar grep(/$what/, <$f>) }
sub functions { return lines($traced, "_sys_get(ppid|sid) ") }
sub kprobes { return lines($kprobes, "  k  (?!int_pow|call_own_function)(?!.*DISABLED)") }

sub status { return scalar `$ENV{STAPRUN} --status $ENV{NAME}` }

# Waits until so many functions are traced, kprobes are armed or not, and no probe is otherwise.
sub await {
    my ($functions, $armed) = @_;
    for (1 .. 2000) {
        return if functions() == $functions && !!kprobes() == $armed && !!(status() =~ /by nothing/) != $armed;
        select(undef, undef, undef, 0.01);
    }
    die "functions: " . functions() . ", kprobes: " . kprobes() . "\n";
}

sub calls { my $n = shift; getppid() for 1 .. $n; syscall(124, 0) for 1 .. $n }

for (1 .. 3) {
    await(0, !!0);
    calls(50);
    syscall(121, 0);
    await(2, !!1);
    calls(70);
    syscall(121, 0);
}
await(0, !!0);
print status();
END
NAME=$name "$STAPRUN" -c "perl load.pl" "$MODULE" >out 2>err || fail "$(cat err)"
grep -v '^STATUS' out
grep '^STATUS: by' out
