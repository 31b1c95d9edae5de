# SPDX-License-Identifier: GPL-2.0-or-later
# Compares what a module takes the address of with where indirect branches may go: branch-targets.pl MODULE.ko
#
# A kernel with indirect branch tracking lets an indirect call reach an endbr64 only, and overwrites those that objtool
# found to be nobody's target (.ibt_endbr_seal). A script and the runtime are compiled apart: neither objtool run sees
# what the other takes the address of.
use strict;
use warnings;

my $module = $ARGV[0];
my @text = qw(.text .init.text .exit.text);
my $is_text = join '|', map { quotemeta } @text;

my (@section, %place, %name);
for (`readelf -SW $module`) { $section[$1] = $2 if /^\s*\[\s*(\d+)\] (\S+)/ }
for (`readelf -sW $module`) {
  my (undef, $value, undef, undef, undef, undef, $index, $symbol) = split;
  next unless defined $symbol && $index =~ /^\d+$/ && $section[$index] =~ /^($is_text)$/;
  $place{$symbol} = $section[$index] . '+' . hex $value;
  $name{$place{$symbol}} = $symbol;
}

my (%taken, %sealed, $of);
for (`readelf -rW $module`) {
  $of = $1 if /^Relocation section '\.rela(\S+)'/;
  my ($type, $symbol, $sign, $addend) = /^[0-9a-f]{12,}\s+\S+\s+(R_X86_64_\S+)\s+[0-9a-f]+\s+(\S+)(?: ([+-]) ([0-9a-f]+))?/ or next;
  my $offset = hex($addend // 0) * (($sign // '+') eq '-' ? -1 : 1);
  my $target = $symbol =~ /^($is_text)$/ ? "$symbol+$offset" : $place{$symbol} // next;
  if ($of eq '.ibt_endbr_seal') {
    $sealed{$target} = 1;
  } elsif ($of =~ /^\.(data|rodata|init\.data|exit\.data|gnu\.linkonce\.this_module)/ && $type eq 'R_X86_64_64' ||
           $of =~ /^($is_text)$/ && $type eq 'R_X86_64_32S') {
    $taken{$target} = 1;
  }
}

my %marked;
for my $text (@text) {
  for (`objdump -d -j $text $module 2>/dev/null`) { $marked{"$text+" . hex $1} = 1 if /^\s*([0-9a-f]+):\s+f3 0f 1e fa/ }
}

# Addresses inside of functions are those of a switch's cases, not of calls.
my @functions = grep { $name{$_} } sort keys %taken;
for (@functions) {
  print "$name{$_} has no endbr64\n" unless $marked{$_};
  print "the endbr64 of $name{$_} will be overwritten\n" if $sealed{$_};
}
print @functions > 20 && %sealed > 20 ? "many targets, many sealed\n" : scalar(@functions) . " targets, " . %sealed . " sealed\n";
