// SPDX-License-Identifier: GPL-2.0-or-later
// Random scripts for the stress: what `oracle generate` makes, and probes on places where a probe could do harm.
//
// Each hit of such a probe first counts itself in three ways that must agree at the end, then prints one marked record
// or none, then does something random in a `try`. What is printed between {{ and }} is not the oracle's, and is taken
// out before the rest is compared with what it expects. In a script that is "wild" the random statements use the
// oracle's globals, so only the counts can be compared.
//
//   global stress_stop            set by staprun: the hit with this number asks for the end
//   {{hit N}}, {{hit N ...}}      one for each hit, where the script prints hits
//   {{total H C A I}}             at the end: the hits by a global, by an array, by an aggregate; 1 if hits were
//   printed
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "generate.h"

std::vector<StressPlace> read_stress_places(const std::string &path) {
  std::ifstream file(path);
  std::vector<StressPlace> places;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    StressPlace p;
    std::string kind;
    words >> kind;
    if (kind == "module") words >> p.module;
    std::getline(words >> std::ws, p.name);
    if (kind == "function" || kind == "module") p.kind = StressPlace::Function;
    else if (kind == "files") p.kind = StressPlace::Files;
    else if (kind == "trace") p.kind = StressPlace::Tracepoint;
    else if (kind == "timer") p.kind = StressPlace::Timer;
    else throw std::runtime_error(path + ": unknown kind of place: " + line);
    places.push_back(p);
  }
  if (places.empty()) throw std::runtime_error(path + ": no places");
  return places;
}

// The probe point of a place. A kernel that lacks it is no error.
std::string Generator::stress_point(const StressPlace &place, bool at_return) {
  const std::string object = place.module.empty() ? "kernel" : "module(\"" + place.module + "\")";
  switch (place.kind) {
    case StressPlace::Timer: return place.name;
    case StressPlace::Tracepoint: return "kernel.trace(\"" + place.name + "\")?";
    case StressPlace::Function:
    case StressPlace::Files: break;
  }
  // Inlined copies have no entry that a kprobe could be at the return of.
  const std::string function = object + ".function(\"" + place.name + "\")";
  if (!at_return) return function + (once_in(2) ? ".call?" : "?");
  return function + ".return" + (once_in(4) ? ".maxactive(" + std::to_string(1 + below(3)) + ")?" : "?");
}

// Text that costs something to make, about the hit.
std::string Generator::stress_text(const StressPlace &place, bool at_return) {
  std::vector<std::string> texts = {
      "pp()",
      "execname()",
      "sprint(tid())",
      "sprintf(\"%-20s|%5d|%x\", execname(), cpu(), pid())",
      "symname(addr())",
      "backtrace()",
      "sprint_backtrace()",
      "ctime()",
      "sprint(task_current())",
      "substr(stress_text, 3, 40)",
      "ubacktrace()",
      "usymdata(ustack(1 + stress_hits % 3))",
  };
  if (place.kind == StressPlace::Timer) texts.resize(4);
  else if (place.kind == StressPlace::Tracepoint) texts.push_back("$$parms"), texts.push_back("$$vars");
  else if (at_return) texts.push_back("probefunc()"), texts.push_back("sprint(returnval())");
  else texts.push_back("probefunc()"), texts.push_back("$$parms"), texts.push_back("$$vars");
  return any(texts);
}

// One random statement of a hit.
std::string Generator::stress_statement(const StressPlace &place, bool at_return) {
  const std::string what = stress_text(place, at_return);
  switch (below(14)) {
    case 0: return "stress_text = " + what + ";";
    case 1: return "stress_text = substr(" + what + " . stress_text, 0, 200);";
    case 2: return "stress_seen[execname(), pid()]++;";
    case 3: return "stress_seen[" + what + ", cpu()] += tid();";
    case 4:
      return "if (stress_hits % 50 == 0) foreach ([a, b] in stress_seen" + std::string(once_in(2) ? "-" : "+") +
             " limit 5) stress_text = a;";
    case 5: return "if (stress_hits % 100 == 99) delete stress_seen;";
    case 6: return "delete stress_seen[execname(), pid()];";
    case 7: return "stress_spread[pid() % 64] <<< gettimeofday_ns() % 1000;";
    case 8:
      return "stress_text = kernel_string(" + any(std::vector<std::string>{"0", "-1", "4096", "addr()", "stack(0)"}) +
             ");";
    case 9: return "stress_text = user_string(" + any(std::vector<std::string>{"0", "-1", "0x400000", "addr()"}) + ");";
    case 10: return "stress_deep(" + std::to_string(1 + below(12)) + ", " + what + ");";
    case 11: return "error(" + what + ");";
    case 12:
      if (at_return) return "stress_spread[0] <<< gettimeofday_ns() - @entry(gettimeofday_ns());";
      return "for (i = 0; i < " + std::to_string(10 + below(100)) + "; i++) stress_sum += i;";
    default: return "stress_text = sprintf(\"%s %s %d\", " + what + ", stress_text, stress_sum);";
  }
}

void Generator::stress_probe(const std::vector<StressPlace> &places, bool prints, bool is_wild) {
  const StressPlace first = any(places);
  const bool at_return = first.kind != StressPlace::Timer && first.kind != StressPlace::Tracepoint && once_in(3);
  std::string points = stress_point(first, at_return);
  for (int i = below(4); i > 0; i--)
    if (const StressPlace &more = any(places); more.kind == first.kind && more.kind != StressPlace::Files)
      points += ", " + stress_point(more, at_return);
  line("probe " + points + " {");
  line("  stress_hits++; stress_by_cpu[cpu()]++; stress_all <<< cpu();");
  if (prints && once_in(2))
    line("  printf(\"{{hit %d %s}}\", stress_hits, str_replace(" + stress_text(first, at_return) + ", \"}\", \")\"));");
  else if (prints) line("  printf(\"{{hit %d}}\", stress_hits);");
  line("  if (stress_stop && stress_hits >= stress_stop) exit();");
  line("  try {");
  for (int i = below(4); i > 0; i--) line("    " + stress_statement(first, at_return));
  line("  } catch { stress_caught++ }");
  if (is_wild) {
    // They may print much, which is slow in a guest.
    line("  if (stress_hits % 16) next;");
    begin_body();
    nesting_ = 0;
    budget_ = 4;
    try_statement();
  }
  line("}");
}

std::string Generator::stress(const std::vector<StressPlace> &places) {
  script();
  const bool is_wild = once_in(4), prints = once_in(2);
  const std::vector<std::string> numbers = numbers_, texts = texts_, fixed = fixed_numbers_;
  line("global stress_stop = 0, stress_hits, stress_by_cpu, stress_all, stress_sum, stress_text = \"\", stress_caught");
  line("global stress_seen%[" + std::to_string(1 + below(200)) + "], stress_spread[64]");
  line(
      "function stress_deep:long(n:long, what:string) {\n  if (n <= 0) return strlen(what);\n"
      "  return stress_deep(n - 1, what . \"x\") + strlen(what)\n}");
  for (int i = 1 + below(4); i > 0; i--) {
    stress_probe(places, prints, is_wild);
    numbers_ = numbers, texts_ = texts, fixed_numbers_ = fixed;
  }
  // At least one point that every kernel has.
  line("probe timer.ms(" + std::to_string(1 + below(20)) + ") {");
  line("  stress_hits++; stress_by_cpu[cpu()]++; stress_all <<< cpu();");
  if (prints) line("  printf(\"{{hit %d}}\", stress_hits);");
  line("  if (stress_stop && stress_hits >= stress_stop) exit();\n}");
  line("probe end {\n  foreach (c in stress_by_cpu) sum += stress_by_cpu[c];");
  line(std::string("  printf(\"{{total %d %d %d ") + (prints ? "1" : "0") +
       "}}\", stress_hits, sum, @count(stress_all));\n"
       "  if (stress_sum < 0 || stress_caught < 0 || @count(stress_spread[0]) < 0) println(stress_text);\n"
       "  if (sum < 0) stress_seen[\"\", 0]++;\n}");
  return std::string("# ") + (is_wild ? "wild" : "comparable") + "\n" + out_;
}
