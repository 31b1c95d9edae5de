// SPDX-License-Identifier: GPL-2.0-or-later
// Who can have written a file: what stap takes from a cache may end in the kernel, or is run.
#pragma once
#include <string>

// Can nobody but root and this user have made or changed what `path` names? From / on, through symbolic links too, each
// directory and the file itself must belong to one of them, and be writable by nobody else. In a sticky directory, like
// /tmp, others can write, but not put something else in the place of what is not theirs. False when it is not there.
bool is_trusted(const std::string &path);
// The same for a directory and all that is in it.
bool is_trusted_tree(const std::string &directory);
