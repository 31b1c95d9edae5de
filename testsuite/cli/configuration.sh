# SPDX-License-Identifier: GPL-2.0-or-later
# What conditions make of a kernel's configuration: strings, numbers, other options, and what can't be compared.
set -u
mkdir -p tree/include/config
echo 6.1.0-test > tree/include/config/kernel.release
cat > tree/.config <<'END'
CONFIG_NR_CPUS=8
CONFIG_NR_CPUS_DEFAULT=64
CONFIG_START=0x1000
CONFIG_OFFSET=-4
CONFIG_NET=y
CONFIG_LOADER=m
CONFIG_NAME="abc"
# CONFIG_ABSENT is not set
END
condition() {
    echo "$*: $("$STAP" -p1 -r "$PWD/tree" -e "%( $* %? probe yes { } %: probe no { } %)" 2>&1 |
        sed -n 's/^probe \([a-z]*\) {$/\1/p; s/^error[^:]*: parse error: //p; s/^  hint/ - hint/p' | tr -d '\n')"
}
# 8 is less than 64, though "8" is not less than "64".
condition 'CONFIG_NR_CPUS < 64'
condition 'CONFIG_NR_CPUS <= 8'
condition 'CONFIG_NR_CPUS == 8'
condition 'CONFIG_NR_CPUS != 8'
condition 'CONFIG_NR_CPUS >= 9'
condition 'CONFIG_NR_CPUS > 7'
condition 'CONFIG_START == 4096'
condition 'CONFIG_OFFSET == -4'
condition 'CONFIG_OFFSET < -4'
condition 'CONFIG_ABSENT == 0'
condition 'CONFIG_NR_CPUS < CONFIG_NR_CPUS_DEFAULT'
condition 'CONFIG_NR_CPUS > CONFIG_NR_CPUS_DEFAULT'
condition 'CONFIG_NR_CPUS == CONFIG_NR_CPUS'
condition 'CONFIG_NET == CONFIG_LOADER'
condition 'CONFIG_LOADER < CONFIG_NET'
condition 'CONFIG_NR_CPUS == "8"'
condition 'CONFIG_NR_CPUS == "?"'
condition 'CONFIG_NAME != "a*"'
condition 'CONFIG_ABSENT == ""'
condition 'CONFIG_NET > 1'
condition 'CONFIG_NET > "a"'
condition 'CONFIG_NR_CPUS < 99999999999999999999'
condition 'CONFIG_NR_CPUS < -kernel_v'
condition 'guru_mode == 0'
condition 'guru_mode == 2'
condition 'guru_mode == "0"'
condition 'guru_mode < 1'
condition 'systemtap_privilege == "stapdev"'
condition 'systemtap_privilege == "root"'
condition 'arch < "x"'
condition 'kernel_v == 6'
condition 'kernel_vr == "6.1.0-t*" && kernel_v == "6.1.0"'
