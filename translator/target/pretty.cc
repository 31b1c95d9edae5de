// SPDX-License-Identifier: GPL-2.0-or-later
// Pretty-printing of target variables: $v$ and $v$$ as sprintf of every member.
//
// $v$ becomes a sprintf of "{.a=%i, .b=%u, .c={...}, .d=[...]}", and $v$$ prints the members of c and the elements of
// d, too. Where memory can't be read it prints "?" instead of failing (Format::lenient).
#include "target/access.h"

namespace {

constexpr size_t max_elements = 16;    // elements of an array that are shown before "..."
constexpr size_t max_arguments = 192;  // arguments of one sprintf, after which "..." stands for the rest
constexpr int max_depth = 8;

class Printer {
 public:
  Printer(TargetAccess &access, Format &format, bool deep) : access_(access), format_(format), deep_(deep) {}

  void print(const TargetObject &object, int depth) {
    const TargetType *type = object.type;
    if (format_.args.size() >= max_arguments) text("...");
    else if (type->is_composite()) composite(object, depth);
    else if (type->kind == TypeKind::Array && type->target()->is_char())
      string(access_.value(object, access_.place()), type->count, type->in_user_space());
    else if (type->kind == TypeKind::Array) array(object, depth);
    else if (type->kind == TypeKind::Pointer && type->target()->is_char())
      string(access_.value(object, access_.place()), 0, type->in_user_space());
    else append_value(access_, object, format_);
  }

 private:
  void text(const std::string &s) {
    for (char c : s) {
      if (c == '%') format_.format += '%';
      format_.format += c;
    }
  }
  void string(Expr *address, uint64_t max, bool user) {
    format_.format += "\"%s\"";
    format_.args.push_back(access_.deref_string(address, uint32_t(std::min<uint64_t>(max, UINT32_MAX)), user));
  }
  void composite(const TargetObject &object, int depth) {
    if (depth > 0 && (!deep_ || depth > max_depth)) return text("{...}");
    text("{");
    bool first = true;
    for (const TargetMember &member : object.type->members()) {
      if (!first) text(", ");
      first = false;
      if (!member.name.empty()) text("." + member.name + "=");
      try {
        TargetObject part = access_.at_member(access_.copy(object), member, access_.place());
        // The members of an anonymous structure are shown as if they were those of the outer one.
        print(part, member.name.empty() ? depth : depth + 1);
      } catch (TargetError &) {
        text("?");
      }
      if (format_.args.size() >= max_arguments) {
        text(", ...");
        break;
      }
    }
    text("}");
  }
  void array(const TargetObject &object, int depth) {
    if (depth > 0 && (!deep_ || depth > max_depth)) return text("[...]");
    text("[");
    size_t count = std::min<uint64_t>(object.type->count, max_elements);
    for (size_t i = 0; i < count && format_.args.size() < max_arguments; i++) {
      if (i) text(", ");
      print(access_.element(access_.copy(object), access_.number(int64_t(i)), access_.place()), depth + 1);
    }
    if (object.type->count > count || !object.type->count) text(count ? ", ..." : "...");
    text("]");
  }

  TargetAccess &access_;
  Format &format_;
  bool deep_;
};

}  // namespace

Format *new_sprintf(TargetAccess &access) {
  Format *format = access.session().make<Format>(access.place());
  format->type = Type::String;
  format->name = "sprintf";
  format->to_string = format->has_format = format->lenient = true;
  return format;
}

void append_value(TargetAccess &access, const TargetObject &object, Format &format) {
  const TargetType *type = object.type;
  try {
    Expr *value = access.value(object, access.place());
    if (type->kind == TypeKind::Pointer || type->kind == TypeKind::Function) format.format += "%p";
    else if (type->is_char() && !object.bit_width) format.format += "'%c'";
    else format.format += type->is_signed ? "%i" : "%u";
    format.args.push_back(value);
  } catch (TargetError &) {
    format.format += "?";
  }
}

Expr *pretty_print(TargetAccess &access, const TargetObject &object, bool deep) {
  Format *format = new_sprintf(access);
  TargetObject shown = object;
  // A pointer to a structure shows the structure.
  if (object.type->kind == TypeKind::Pointer && object.type->target()->is_composite())
    shown = access.pointee(object, access.place());
  Printer(access, *format, deep).print(shown, 0);
  return format;
}
