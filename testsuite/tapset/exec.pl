# SPDX-License-Identifier: GPL-2.0-or-later
# Run programs a known number of times, by execve(2) and execveat(2): some that are there, some that are not, one that may not be run.

sub run {
  my @command = @_;
  my $pid = fork // die "$!";
  if (!$pid) {
    exec { $command[0] } @command[1 .. $#command];
    exit 1;
  }
  waitpid $pid, 0;
}

sub run_at { # by execveat(2), 322: AT_FDCWD is -100
  my ($path, @arguments) = @_;
  my $pid = fork // die "$!";
  if (!$pid) {
    my @strings = map { "$_\0" } @arguments;
    my $argv = pack 'p*x8', @strings;
    my $environment = pack 'x8';
    syscall 322, -100, "$path\0", $argv, $environment, 0;
    exit 1;
  }
  waitpid $pid, 0;
}

run('/bin/true', 'the name', "an argument $_", 'last') for 1 .. 5;
run('/no/such/program', 'none', $_) for 1 .. 3;
run('/proc/self/maps', 'forbidden') for 1 .. 2;
run_at('/bin/true', 'at', 'first', 'second') for 1 .. 4;
