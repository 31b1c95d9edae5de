# SPDX-License-Identifier: GPL-2.0-or-later
# What the program prints, and what the script does, each by itself.
"$STAPRUN" -o script -c './writes > program' "$MODULE"
cat program script
