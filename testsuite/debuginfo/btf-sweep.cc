// SPDX-License-Identifier: GPL-2.0-or-later
// Compares DWARF and BTF on every exported function: parameters, where they are at entry, results, and the members of
// every structure they lead to.
//
//   btf-sweep [-v] RELEASE [MODULE]
//
// Both sources describe one compilation, so a difference is an error of a reader,
// or something that one format can't say. The latter are counted by what explains
// them (and listed with -v); others are printed.
//
//   assembly         DWARF has an address and a line only; BTF has the C declaration
//   two definitions  DWARF describes the function at this address, BTF one of the same name: an inline wrapper of
//                    include/linux/fortify-string.h, or a weak function's replacement
//   flattened array  BTF's encoder writes "int [2][3]" as "int [6]"
//   assigned         the source assigns the parameter first of all ("n--"), and DWARF tells of the new value; BTF's
//                    place, from the calling convention, is the argument's
//   spilled          DWARF names the stack slot where the function will keep the parameter; at entry it is not there
//   yet declared only    a module's DWARF has a forward declaration, its BTF the kernel's definition not kept DWARF has
//   no place for a parameter that is not used at entry; the calling convention has
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "debuginfo/btf_module.h"
#include "debuginfo/dwarf_module.h"
#include "debuginfo/find.h"
#include "syntax/print.h"

namespace {

struct Sweep {
  Session session;
  std::map<std::string, unsigned> kinds;
  std::set<std::string> reported;
  std::set<std::pair<const TargetType *, const TargetType *>> compared;
  std::set<std::pair<std::string, const TargetType *>>
      compared_tags;  // every unit of DWARF has its own copy of a structure
  unsigned functions = 0, parameters = 0, structures = 0, members = 0;

  bool verbose = false;
  unsigned unexplained = 0;

  void differ(const char *kind, const std::string &text) {
    unexplained++;
    if (reported.insert(kind + text).second) printf("%s: %s\n", kind, text.c_str());
  }
  void explain(const char *kind, const std::string &text) {
    kinds[kind]++;
    if (verbose) printf("(%s) %s\n", kind, text.c_str());
  }

  void compare_types(const TargetType *d, const TargetType *b, const std::string &path);
  void compare_members(const TargetType *d, const TargetType *b, const std::string &path);
  void compare_functions(const FunctionSite &d, const FunctionSite &b);
  std::string place_of(const FunctionSite &site, const TargetVariable &variable);
};

std::string describe(const TargetType *t) {
  return t->spelling + " (kind " + std::to_string(int(t->kind)) + ", " + std::to_string(t->object_size()) + " bytes" +
         (t->is_signed ? ", signed)" : ")");
}

void Sweep::compare_types(const TargetType *d, const TargetType *b, const std::string &path) {
  for (int depth = 0; depth < 16; depth++) {
    if (!compared.insert({d, b}).second) return;
    if (d->kind != b->kind) return differ("type", path + ": " + describe(d) + " and " + describe(b));
    if (d->kind == TypeKind::Function) return;  // spellings have been compared
    if (d->kind != TypeKind::Pointer && d->kind != TypeKind::Array) break;
    // BTF's encoder makes "int [2][3]" an "int [6]".
    if (const TargetType *inner = d->target();
        d->kind == TypeKind::Array && inner->kind == TypeKind::Array && b->target()->kind != TypeKind::Array)
      return explain("flattened array", path + ": " + d->spelling + " and " + b->spelling);
    if (d->count != b->count) differ("array", path + ": " + describe(d) + " and " + describe(b));
    d = d->target();
    b = b->target();
  }
  if (d->is_declaration && !d->object_size() && b->object_size()) return explain("declared only", path);
  if (d->object_size() != b->object_size() || d->is_signed != b->is_signed)
    return differ(d->object_size() && b->object_size() ? "size" : "declaration",
                  path + ": " + describe(d) + " and " + describe(b));
  if (d->is_composite()) compare_members(d, b, d->tag.empty() ? path : d->tag);
}

void Sweep::compare_members(const TargetType *d, const TargetType *b, const std::string &path) {
  if (!d->tag.empty() && !compared_tags.insert({d->tag, b}).second) return;
  const std::vector<TargetMember> &dwarf = d->members(), &btf = b->members();
  structures++;
  if (dwarf.size() != btf.size())
    return differ("members", path + ": " + std::to_string(dwarf.size()) + " and " + std::to_string(btf.size()));
  for (size_t i = 0; i < dwarf.size(); i++) {
    const TargetMember &x = dwarf[i], &y = btf[i];
    std::string where = path + "." + (x.name.empty() ? "{" + std::to_string(i) + "}" : x.name);
    members++;
    if (x.name != y.name) differ("name", where + " and " + y.name);
    if (x.offset != y.offset || x.bit_width != y.bit_width || x.bit_shift != y.bit_shift || x.storage != y.storage)
      differ("offset", where + ": " + std::to_string(x.offset) + ":" + std::to_string(x.bit_shift) + ":" +
                           std::to_string(x.bit_width) + " and " + std::to_string(y.offset) + ":" +
                           std::to_string(y.bit_shift) + ":" + std::to_string(y.bit_width));
    bool is_array = x.type->kind == TypeKind::Array;  // of several dimensions: told below
    if (!is_array && x.type->spelling != y.type->spelling)
      differ("spelling", where + ": " + x.type->spelling + " and " + y.type->spelling);
    compare_types(x.type, y.type, where);
  }
}

// Adds constants up: "a + 8 + 8" is "a + 16".
std::string text_of(const Expr *e) {
  int64_t constant = 0;
  for (const Binary *sum = as<Binary>(e); sum && sum->op == BinaryOp::Add && as<Number>(sum->right);
       sum = as<Binary>(e)) {
    constant += as<Number>(sum->right)->value;
    e = sum->left;
  }
  return print_expr(e) + (constant ? " + " + std::to_string(constant) : "");
}

// Where it is, as the expression that fetches it.
std::string Sweep::place_of(const FunctionSite &site, const TargetVariable &variable) {
  TargetLocation place = site.module->locate(session, site, variable, Place{});
  if (!place.expr) return "nowhere";
  return (place.is_address ? "at " : "") + text_of(place.expr);
}

// Is there an inline function of the name too, or one in another file?
bool has_two_definitions(const FunctionSite &site) {
  FunctionPattern same;
  same.function = site.name;
  Refusals refused;
  if (!site.module->functions(same, DebugModule::Inlines, refused).empty()) return true;
  std::vector<FunctionSite> calls = site.module->functions(same, DebugModule::Calls, refused);
  return calls.size() > 1;
}

void Sweep::compare_functions(const FunctionSite &d, const FunctionSite &b) {
  if (!d.handle || d.file.empty()) return explain("assembly", d.name);
  functions++;
  if (d.offset != b.offset || d.section != b.section) differ("address", d.name);
  std::vector<TargetVariable> dwarf, btf = b.module->variables(b);
  for (const TargetVariable &v : d.module->variables(d))
    if (v.is_parameter) dwarf.push_back(v);
  if (dwarf.size() != btf.size())
    return differ("parameters", d.name + ": " + std::to_string(dwarf.size()) + " and " + std::to_string(btf.size()));
  for (size_t i = 0; i < dwarf.size(); i++) {
    std::string path = d.name + "." + dwarf[i].name;
    parameters++;
    bool same_type = dwarf[i].type->spelling == btf[i].type->spelling;
    if (dwarf[i].name != btf[i].name && (same_type || has_two_definitions(d)))
      return explain("two definitions", d.name);
    if (dwarf[i].name != btf[i].name) differ("name", path + " and " + btf[i].name);
    if (dwarf[i].type->spelling != btf[i].type->spelling)
      differ("spelling", path + ": " + dwarf[i].type->spelling + " and " + btf[i].type->spelling);
    compare_types(dwarf[i].type, btf[i].type, path);
    std::string x = place_of(d, dwarf[i]), y = place_of(b, btf[i]);
    if (x == y) continue;
    if (x == "nowhere") explain("not kept", path);
    else if (x.starts_with("at @kregister(7) + -")) explain("spilled", path + ": " + x + " and " + y);
    else if (x.starts_with(y + " ")) explain("assigned", path + ": " + x);
    else differ("place", path + ": " + x + " and " + y);
  }
  const TargetType *x = d.module->return_type(d), *y = b.module->return_type(b);
  if (!x != !y) differ("result", d.name);
  else if (x) compare_types(x, y, d.name + "()");
}

std::map<std::string, FunctionSite> exported(DebugModule &module) {
  FunctionPattern all;
  all.function = "*";
  Refusals refused;
  std::map<std::string, FunctionSite> sites;
  std::set<std::string> twice;
  for (FunctionSite &site : module.functions(all, DebugModule::Calls, refused))
    if (site.is_exported && !sites.try_emplace(site.name, site).second) twice.insert(site.name);
  for (const std::string &name : twice) sites.erase(name);
  return sites;
}

template <class From, class To> void take(Result<From> result, To &to, std::string &error) {
  if (result) to = std::move(*result);
  else error = result.reason();
}

}  // namespace

int main(int argc, char **argv) {
  Sweep sweep;
  if (argc > 1 && !strcmp(argv[1], "-v")) {
    sweep.verbose = true;
    argc--, argv++;
  }
  if (argc < 2) return 2;
  sweep.session.kernel_release = argv[1];
  std::string name = argc > 2 ? argv[2] : "", error;
  TargetBinary binary = TargetBinary::named(name);
  binary.path = name.empty() ? find_kernel_debuginfo(sweep.session) : find_module_debuginfo(sweep.session, name);
  std::unique_ptr<DebugModule> dwarf, btf;
  if (!binary.path.empty()) take(DwarfModule::open(binary), dwarf, error);
  std::shared_ptr<KernelBtf> kernel;
  take(read_kernel_btf(sweep.session), kernel, error);
  if (kernel && name.empty()) btf = BtfModule::open_kernel(kernel);
  else if (kernel) {
    binary.path = find_module_image(sweep.session, name);
    take(BtfModule::open_module(binary, kernel), btf, error);
  }
  if (!dwarf || !btf) {
    printf("needs debuginfo and BTF of %s: %s\n", argv[1], error.c_str());
    return 77;
  }
  std::map<std::string, FunctionSite> with_btf = exported(*btf);
  for (auto &[function, site] : exported(*dwarf)) {
    auto it = with_btf.find(function);
    if (it == with_btf.end()) sweep.differ("missing", function);
    else sweep.compare_functions(site, it->second);
  }
  printf("%u functions, %u parameters, %u structures, %u members\n", sweep.functions, sweep.parameters,
         sweep.structures, sweep.members);
  for (auto &[kind, count] : sweep.kinds) printf("%s: %u\n", kind.c_str(), count);
  printf("unexplained: %u\n", sweep.unexplained);
  return sweep.unexplained != 0;
}
