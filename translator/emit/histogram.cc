// SPDX-License-Identifier: GPL-2.0-or-later
// Histograms of aggregates to C: their layout, drawing them, their buckets by number and in loops.
#include <fmt/core.h>

#include "emit/emit.h"

int64_t histogram_buckets(const HistogramUse *h) {
  return h->logarithmic ? 128 : int64_t((uint64_t(h->high) - uint64_t(h->low)) / uint64_t(h->step)) + 3;
}

void emit_histogram_layout(Code &code, const VarDecl *v) {
  const HistogramUse *h = v->histogram;
  if (!h) return;
  code.line("static const struct stap_histogram {}_histogram = {{{}, {}, {}, {}, {}}};", v->unique_name,
            h->logarithmic ? "STAP_HIST_LOG" : "STAP_HIST_LINEAR", c_long(h->low), c_long(h->high), c_long(h->step),
            histogram_buckets(h));
}

static std::string layout_of(const Histogram *h) {
  auto *index = as<Index>(h->stat);
  const VarDecl *decl = index ? index->base->decl : static_cast<const Symbol *>(h->stat)->decl;
  return fmt::format("&{}_histogram", decl->unique_name);
}

static std::string operator_word(const Histogram *h) {
  return operator_word(h->use.logarithmic ? "@hist_log" : "@hist_linear");
}

Value FunctionEmitter::print_histogram(const Format *e) {
  auto *histogram = static_cast<const Histogram *>(e->histogram);
  std::string stat = stat_pointer(histogram->stat);
  set_place(histogram->place, operator_word(histogram));
  std::string arguments = fmt::format("c, {}, {}", stat, layout_of(histogram));
  Value result = Value::constant("0");
  if (e->to_string) result = own_string(fmt::format("stap_sprint_histogram({})", arguments));
  else code.line("stap_print_histogram({});", arguments);
  check();
  return result;
}

Value FunctionEmitter::histogram_bucket(const HistogramIndex *e) {
  auto *histogram = static_cast<const Histogram *>(e->histogram);
  auto *element = as<Index>(histogram->stat);
  std::vector<Value> at;
  if (element) at = keys(element, e->bucket);
  Value bucket = expr(e->bucket);
  std::string stat = element ? element_stat(element, at) : stat_pointer(histogram->stat);
  set_place(histogram->place, operator_word(histogram));
  Value t = long_temp(fmt::format("stap_histogram_bucket(c, {}, {}, {})", stat, layout_of(histogram), bucket.text));
  check();
  return t;
}

// The head of the loop, which sets `bucket` to a bucket's number: in the order of the numbers, or of what the buckets
// hold.
void FunctionEmitter::histogram_turns(const Foreach *st, const std::string &bucket, const std::string &limit,
                                      const std::function<std::string()> &stat) {
  auto *histogram = static_cast<const Histogram *>(st->histogram);
  const std::string count = std::to_string(histogram_buckets(&histogram->use));
  if (st->sort_direction && st->sort_key < 0) {
    const std::string order = fresh("order"), turn = fresh("turn");
    const std::string wanted = limit.empty() ? "" : fmt::format(" && {} < {}", turn, limit);
    code.line("struct stap_bucket_order {} = {{{}, 0, 0, 0}};", order, st->sort_direction);
    code.open("for (stap_long {0} = 0; {0} < {1}{2}; {0}++)", turn, count, wanted);
    const std::string from = stat();
    code.line("const stap_long {} = stap_histogram_next({}, {}, &{});", bucket, from, layout_of(histogram), order);
    code.line("if ({} < 0)", bucket);
    code.line("\tbreak;");
  } else if (st->sort_direction < 0) {
    const std::string wanted = limit.empty() ? "" : fmt::format(" && {} - 1 - {} < {}", count, bucket, limit);
    code.open("for (stap_long {0} = {1} - 1; {0} >= 0{2}; {0}--)", bucket, count, wanted);
  } else {
    const std::string wanted = limit.empty() ? "" : fmt::format(" && {} < {}", bucket, limit);
    code.open("for (stap_long {0} = 0; {0} < {1}{2}; {0}++)", bucket, count, wanted);
  }
}

// foreach (bucket in @hist_log(x)) runs over the numbers of all buckets. What they hold is looked at only where the
// loop asks for it (`n = bucket`) or sorts by it, and anew in each turn: the body may add to the aggregate or delete
// it. Where nothing was added every bucket holds 0.
void FunctionEmitter::histogram_loop(const Foreach *st) {
  auto *histogram = static_cast<const Histogram *>(st->histogram);
  source_comment(st->place);
  code.open("");
  std::string mark = fresh("temps");
  code.line("const u32 {} = stap_temps(c);", mark);
  std::string limit = st->limit ? long_temp(expr(st->limit).text).text : "";
  const bool by_count = st->sort_direction && st->sort_key < 0;
  auto *element = st->value || by_count ? as<Index>(histogram->stat) : nullptr;
  std::vector<Value> at;
  if (element)
    for (const Expr *key : element->keys)
      at.push_back(key->type == Type::String ? copied(expr(key)) : long_temp(expr(key).text));
  auto stat = [&] { return element ? element_stat(element, at) : stat_pointer(histogram->stat); };
  std::string bucket = fresh("bucket"), next = fresh("continue_");
  histogram_turns(st, bucket, limit, stat);
  spend_for_turn(st);
  store_variable(st->keys[0]->decl, Value::expression(bucket));
  if (st->value) {
    std::string from = stat();
    std::string counts = element ? fmt::format("{0} && {0}->count", from) : fmt::format("({})->count", from);
    set_place(histogram->place, operator_word(histogram));
    Value value = long_temp(
        fmt::format("{} ? stap_histogram_bucket(c, {}, {}, {}) : 0", counts, from, layout_of(histogram), bucket));
    check();
    store_variable(st->value->decl, value);
  }
  continue_labels_.push_back(next);
  code.open("");
  statement(st->body);
  code.close();
  continue_labels_.pop_back();
  code.label(next);
  code.line(";");
  code.close();
  code.line("stap_temps_release(c, {});", mark);
  code.close();
}
