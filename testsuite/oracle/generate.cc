// SPDX-License-Identifier: GPL-2.0-or-later
// Random statements, functions and probes around them.
//
// That a script ends is seen to by how it is made: loops count, recursive calls pass one less, and neither stands in
// the other. Arrays are not changed under a foreach over them, which would be an error.
#include "generate.h"

#include <algorithm>

Generator::Generator(uint64_t seed, int number)
    : chance_(seed * 0x9e3779b97f4a7c15ull + 1), id_(std::to_string(number)) {}

bool Generator::may_change(const ArrayShape &array) const {
  if (self_ && !self_->changes_arrays) return false;
  return std::find(iterated_.begin(), iterated_.end(), array.name) == iterated_.end();
}

const ArrayShape *Generator::any_array(bool aggregate, bool to_change) {
  std::vector<const ArrayShape *> usable;
  for (const ArrayShape &a : arrays_)
    if (a.is_aggregate == aggregate && (!to_change || may_change(a))) usable.push_back(&a);
  return usable.empty() ? nullptr : any(usable);
}

// ---------------------------------------------------------------- statements

void Generator::block(int count) {
  indent_++;
  nesting_++;
  for (int i = 0; i < count; i++) statement();
  nesting_--;
  indent_--;
}

void Generator::braced(const std::string &head, int count) {
  line(head + " {");
  block(count);
  line("}");
}

void Generator::print_statement() {
  std::string list;
  for (int i = 1 + below(3); i > 0; i--)
    list += (list.empty() ? "" : ", ") + expr(once_in(2) ? Sort::Text : Sort::Number, 2);
  switch (below(5)) {
    case 0: return line("println(" + list + ");");
    case 1: return line("print(" + list + ");");
    case 2: return line("printdln(" + text_literal() + ", " + number(2) + ", " + list + ");");
    case 3: return line("printd(\"|\", " + list + ", " + text(1) + ");");
    default: return line("printf(" + format_arguments(2) + "); println();");
  }
}

void Generator::simple_statement() {
  if (once_in(4)) {
    std::string to = any(aggregates_);
    if (const ArrayShape *array = any_array(true, true); array && once_in(2)) to = element(*array, 1);
    return line(to + " <<< " + number(2) + ";");
  }
  const std::string made = once_in(3) ? text_effect(3) : once_in(6) ? number(3) : number_effect(3);
  line(made + ";");
}

void Generator::delete_statement() {
  const ArrayShape &array = any(arrays_);
  if (!may_change(array) || once_in(4))
    return line("delete " + (once_in(3) ? any(aggregates_) : any(variables(once_in(2) ? Sort::Text : Sort::Number))) +
                ";");
  if (once_in(6)) return line("delete " + array.name + ";");
  line("delete " + array.name + "[" + keys(array, 1, array.keys.size() > 1) + "];");
}

void Generator::while_statement() {
  const std::string counter = fresh("w");
  line(counter + " = 0;");
  line("while (" + counter + "++ < " + std::to_string(1 + below(4)) + (once_in(2) ? " && " + number(2) : "") + ") {");
  fixed_numbers_.push_back(counter);
  loops_++;
  block(1 + below(3));
  loops_--;
  line("}");
}

void Generator::for_statement() {
  const std::string counter = fresh("i"), limit = std::to_string(1 + below(4));
  fixed_numbers_.push_back(counter);
  loops_++;
  line("for (" + counter + " = 0; " + counter + " < " + limit + "; " + counter + "++) {");
  block(1 + below(3));
  loops_--;
  line("}");
}

void Generator::foreach_statement() {
  const ArrayShape &array = any(arrays_);
  std::vector<std::string> names;
  std::string list, head, slice;
  const int sorted_key = once_in(3) ? below(static_cast<int>(array.keys.size())) : -1;
  for (size_t i = 0; i < array.keys.size(); i++) {
    names.push_back(fresh("k"));
    list += (i ? ", " : "") + names.back() + (static_cast<int>(i) == sorted_key ? (once_in(2) ? "+" : "-") : "");
  }
  std::string of = array.name, value;
  if (array.keys.size() > 1 && once_in(3)) of += "[" + keys(array, 1, true) + "]";
  if (sorted_key < 0 && once_in(2)) {
    if (array.is_aggregate && once_in(2))
      of += " " + any(std::vector<std::string>{"@count", "@sum", "@min", "@max", "@avg", "@variance"}) + " ";
    of += once_in(2) ? "+" : "-";
  }
  if (!array.is_aggregate && once_in(3)) value = fresh("v");
  head = (value.empty() ? "" : value + " = ") + "[" + list + "] in " + of;
  if (once_in(3)) head += " limit " + (once_in(2) ? std::to_string(below(4)) : "(" + number(1) + ")");
  line("foreach (" + head + ") {");
  const std::vector<std::string> numbers = numbers_, texts = texts_;
  for (size_t i = 0; i < names.size(); i++) (array.keys[i] == Sort::Number ? numbers_ : texts_).push_back(names[i]);
  if (!value.empty()) (array.value == Sort::Number ? numbers_ : texts_).push_back(value);
  iterated_.push_back(array.name);
  loops_++;
  block(1 + below(3));
  loops_--;
  iterated_.pop_back();
  if (once_in(2)) numbers_ = numbers, texts_ = texts;  // else the names are used after the loop
  line("}");
}

// Its value is a bucket's count; a body that ran for all 128 of them would print much.
void Generator::bucket_loop() {
  const std::string histogram = drawing(1), number = fresh("b"), count = fresh("c");
  if (histogram.empty()) return print_statement();
  const bool counts = once_in(2);
  const std::string direction = once_in(3) ? (once_in(2) ? "+" : "-") : "";
  const std::string limit = counts && once_in(2) ? "" : " limit " + std::to_string(below(7));
  line("foreach (" + (counts ? count + " = " : "") + "[" + number + direction + "] in " + histogram + limit + ") {");
  fixed_numbers_.push_back(number);
  loops_++;
  if (counts) {
    fixed_numbers_.push_back(count);
    braced("if (" + count + ")", 1 + below(2));
  } else {
    block(1);
  }
  loops_--;
  line("}");
}

void Generator::histogram_statement() {
  const std::string histogram = drawing(1);
  if (histogram.empty() || once_in(2)) return loops_ < 2 ? bucket_loop() : simple_statement();
  line("print(" + histogram + ");");
}

void Generator::try_statement() {
  const std::string message = fresh("e");
  line("try {");
  tries_++;
  block(1 + below(3));
  tries_--;
  if (once_in(3)) {
    line("} catch {");
  } else {
    line("} catch (" + message + ") {");
    line("  printf(\"caught %.13s\\n\", " + message + ");");
  }
  block(below(2));
  line("}");
}

// break, continue, return, next, error(), under a condition more often than not.
void Generator::leave_statement() {
  const std::string condition = once_in(8) ? "" : "if (" + number(2) + ") ";
  if (loops_ && once_in(2)) return line(condition + (once_in(2) ? "break;" : "continue;"));
  if (tries_ && once_in(2)) return line(condition + "error(" + text(1) + ");");
  if (self_ && nesting_) return line(condition + "return " + expr(self_->result, 2) + ";");
  if (!self_ && once_in(4)) return line(condition + "next;");
  simple_statement();
}

void Generator::statement() {
  if (--budget_ < 0 || nesting_ > 4) return simple_statement();
  const bool may_loop = loops_ < 2;
  switch (below(17)) {
    case 16: return histogram_statement();
    case 0:
    case 1:
    case 2: return print_statement();
    case 3: {
      braced("if (" + number(2) + ")", 1 + below(3));
      if (once_in(2)) braced("else", 1 + below(2));
      return;
    }
    case 4: return may_loop ? while_statement() : print_statement();
    case 5: return may_loop ? for_statement() : print_statement();
    case 6:
    case 7: return may_loop ? foreach_statement() : simple_statement();
    case 8:
    case 9: return try_statement();
    case 10: return delete_statement();
    case 11: return leave_statement();
    default: return simple_statement();
  }
}

// ---------------------------------------------------------------- declarations

std::string Generator::histogram_shape() {
  if (once_in(2)) return "@hist_log(&)";
  const int low = below(30) - 20, step = 1 + below(6);
  return "@hist_linear(&, " + std::to_string(low) + ", " + std::to_string(low + step * (1 + below(12)) + below(step)) +
         ", " + std::to_string(step) + ")";
}

void Generator::declare_globals() {
  // Few names: what one expression reads, another changes.
  numbers_.push_back("g" + id_ + "_n");
  texts_.push_back("g" + id_ + "_t");
  aggregates_.push_back("g" + id_ + "_s");
  line("global " + numbers_.back() + (once_in(2) ? "" : " = " + std::to_string(below(100))));
  line("global " + texts_.back() + (once_in(2) ? "" : " = " + text_literal()));
  line("global " + aggregates_.back());
  if (!once_in(3)) histograms_[aggregates_.back()] = histogram_shape();
  variance_shift_ = below(4);
  for (int i = 0; i < 3; i++) {
    ArrayShape a;
    a.name = "g" + id_ + "_a" + std::to_string(i);
    for (int k = 1 + below(3); k > 0; k--) a.keys.push_back(once_in(2) ? Sort::Number : Sort::Text);
    a.is_aggregate = i == 2;
    a.value = i == 0 ? Sort::Text : Sort::Number;
    const int kind = below(4);
    line("global " + a.name +
         (kind == 0   ? "[" + std::to_string(2 + below(4)) + "]"
          : kind == 1 ? "%[" + std::to_string(1 + below(4)) + "]"
                      : ""));
    if (a.is_aggregate && !once_in(3)) histograms_[a.name] = histogram_shape();
    arrays_.push_back(std::move(a));
  }
}

// Locals get their types here; what stands before them sees only globals.
void Generator::begin_body() {
  numbers_.push_back("n");
  texts_.push_back("t");
  line("  n = " + literal() + "; t = " + text_literal() + ";");
}

// A function of the same name that leaves some of its calls to the next one.
std::string Generator::first_overload(const FunctionShape &f, const std::string &head) {
  std::string condition, result;
  allows_calls_ = false;
  condition = number(2);
  result = expr(f.result, 2);
  allows_calls_ = true;
  return head + (once_in(2) ? ":1" : "") + " { if (" + condition + ") next; return " + result + " }";
}

void Generator::function(int number) {
  FunctionShape f;
  f.name = "f" + id_ + "_" + std::to_string(number);
  f.result = once_in(2) ? Sort::Number : Sort::Text;
  f.changes_arrays = once_in(3);
  f.parameters = {Sort::Number};
  const std::vector<std::string> numbers = numbers_, texts = texts_, fixed = fixed_numbers_;
  f.is_overloaded = once_in(3);
  const bool typed = f.is_overloaded || once_in(2);
  auto type = [&](Sort s) { return !typed ? "" : s == Sort::Number ? ":long" : ":string"; };
  std::string parameters = std::string("depth") + type(Sort::Number);
  for (int i = below(3); i >= 0; i--) {
    f.parameters.push_back(once_in(2) ? Sort::Number : Sort::Text);
    const std::string name = "p" + std::to_string(i);
    (f.parameters.back() == Sort::Number ? numbers_ : texts_).push_back(name);
    parameters += ", " + name + type(f.parameters.back());
  }
  fixed_numbers_.push_back("depth");
  // The same name with another number of parameters is another function.
  if (!functions_.empty() && functions_[0].parameters.size() != f.parameters.size() && once_in(2))
    f.name = functions_[0].name;
  const std::string head = "function " + f.name + type(f.result) + "(" + parameters + ")";
  self_ = &f;
  if (f.is_overloaded) line(first_overload(f, head));
  self_ = nullptr;
  // Priorities are tried in their order, the others as if theirs were 0... so a function that always answers comes
  // last.
  line(head + (f.is_overloaded ? ":2" : "") + " {");
  begin_body();
  self_ = &f;
  allows_calls_ = false;
  line("  if (depth <= 0) return " + expr(f.result, 2) + ";");
  allows_calls_ = true;
  budget_ = 4;
  nesting_ = -1;  // the body's own statements may call the function again
  block(1 + below(2));
  nesting_ = 0;
  if (f.is_overloaded && once_in(8)) line("  if (" + this->number(1) + ") next;");
  line("  return " + expr(f.result, 3) + ";");
  line("}");
  self_ = nullptr;
  numbers_ = numbers, texts_ = texts, fixed_numbers_ = fixed;
  functions_.push_back(f);
}

// Something to read, more often than not.
void Generator::feed() {
  for (int i = below(5); i > 0; i--) line("  " + aggregates_[0] + " <<< " + number_leaf() + ";");
  for (const ArrayShape &a : arrays_)
    for (int i = below(4); i > 0; i--)
      line("  try { " + element(a, 0) + (a.is_aggregate ? " <<< " + number_leaf() : " = " + expr(a.value, 0)) +
           "; } catch { println(\"full\") }");
}

void Generator::probe(const std::string &point) {
  const std::vector<std::string> numbers = numbers_, texts = texts_, fixed = fixed_numbers_;
  line("probe " + point + " {");
  begin_body();
  nesting_ = 0;
  budget_ = 10;
  if (point == "begin") feed();
  // Half of what may fail ends only itself.
  for (int i = 3 + below(4); i > 0; i--) {
    if (once_in(2)) block(1);
    else try_statement();
  }
  line("}");
  numbers_ = numbers, texts_ = texts, fixed_numbers_ = fixed;
}

// Every global is given its type and read, whatever the statements made of it.
void Generator::print_globals() {
  line("probe end {");
  line("  println(\"-- " + id_ + "\");");
  for (const std::string &n : numbers_) line("  println(" + n + " += 0);");
  for (const std::string &t : texts_) line("  println(" + t + " .= \"\");");
  for (const std::string &s : aggregates_)
    line("  if (@count(" + s + ")) println(@count(" + s + "), \" \", @sum(" + s + "), \" \", @min(" + s +
         "), \" \", @max(" + s + "), \" \", @variance(" + s +
         (variance_shift_ ? ", " + std::to_string(variance_shift_) : "") + "));\n  else " + s + " <<< 1;");
  for (const ArrayShape &a : arrays_) {
    std::string keys, values;
    for (size_t i = 0; i < a.keys.size(); i++) keys += (i ? ", k_" : "k_") + a.name + std::to_string(i);
    values = a.name + "[" + keys + "]";
    line("  foreach ([" + keys + "] in " + a.name + ") printdln(\",\", \"" + a.name + "\", " + keys + ", " +
         (a.is_aggregate ? "@count(" + values + "), @sum(" + values + "), @min(" + values + ")" : values) + ");");
    std::string some;
    for (Sort s : a.keys) some += std::string(some.empty() ? "" : ", ") + (s == Sort::Number ? "1" : "\"a\"");
    line("  try { " + a.name + "[" + some + "] " +
         (a.is_aggregate            ? "<<< 1"
          : a.value == Sort::Number ? "= 1"
                                    : "= \"\"") +
         "; } catch { println(\"full\"); }");
  }
  line("}");
}

std::string Generator::script() {
  declare_globals();
  for (int i = 0; i < 2; i++) function(i);
  probe("begin");
  if (once_in(3)) probe("end");
  print_globals();
  return out_;
}
