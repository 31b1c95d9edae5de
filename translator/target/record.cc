// SPDX-License-Identifier: GPL-2.0-or-later
// Finding the fields of trace events' records, and the data that lies behind a record's fixed part.
//
// A record is a struct trace_event_raw_CLASS (include/trace/trace_events.h): `ent`, what all records have, then what
// TP_STRUCT__entry lists. For data of no fixed length a word is there, __data_loc_NAME, with the length in its upper
// half and in its lower one where the data begins in the record; or __rel_loc_NAME, which counts from behind itself.
#include "target/record.h"

#include "target/lookup.h"

namespace {

constexpr std::string_view data_prefix = "__data_loc_", relative_prefix = "__rel_loc_", common_prefix = "common_";

// Is it one of what TP_STRUCT__entry lists?
bool is_listed(const TargetMember &member) {
  return !member.name.empty() && member.name != "ent" && member.name != "__data";
}

// As the event's format names it.
std::string_view field_name(const TargetMember &member) {
  std::string_view name = member.name;
  for (const std::string_view prefix : {data_prefix, relative_prefix})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  return name;
}

// The type of the elements of what lies behind the record; "" of any other field.
std::string dynamic_element(const TraceRecord &record, const TargetMember &member) {
  const std::string_view name = field_name(member);
  if (name.size() == member.name.size()) return "";
  for (const TraceEvent::Dynamic &d : record.dynamic)
    if (d.name == name) return d.element;
  return "char";
}

const TargetMember *find_member(const TargetType *type, std::string_view name) {
  for (const TargetMember &member : type->members())
    if (member.name == name) return &member;
  return nullptr;
}

class FieldReader {
 public:
  FieldReader(TargetAccess &access, const TraceRecord &record) : access_(access), record_(record) {}

  TargetObject whole() const {
    TargetObject object{access_.event_value(EventPart::Record, 0), true, record_.type, 0, 0, 0};
    object.is_pointee = true;
    return object;
  }

  std::optional<RecordField> common(std::string_view name) const {
    const TargetMember *header = find_member(record_.type, "ent");
    // Its number is not the one in tracefs: the record is made apart from those that tracefs shows.
    const TargetMember *member = header && name != "type" ? find_member(header->type, name) : nullptr;
    if (!member) return std::nullopt;
    return RecordField{
        access_.at_member(access_.at_member(whole(), *header, access_.place()), *member, access_.place())};
  }

  RecordField listed(const TargetMember &member) const {
    if (const std::string element = dynamic_element(record_, member); !element.empty()) return dynamic(member, element);
    RecordField field{access_.at_member(whole(), member, access_.place())};
    if (member.type->kind == TypeKind::Array && member.type->target()->is_char())
      field.text = access_.deref_string(access_.copy(field.object).expr, uint32_t(member.type->count), false);
    return field;
  }

 private:
  RecordField dynamic(const TargetMember &member, const std::string &element) const {
    auto address = [&] {
      Expr *record = access_.event_value(EventPart::Record, 0);
      Expr *word = access_.binary(BinaryOp::Add, record, access_.number(int64_t(member.offset)));
      Expr *distance = access_.binary(BinaryOp::And, access_.deref(word, 4), access_.number(0xffff));
      const bool is_relative = member.name.starts_with(relative_prefix);
      const int64_t counted_from = is_relative ? int64_t(member.offset + member.type->size) : 0;
      return access_.binary(BinaryOp::Add, access_.event_value(EventPart::Record, 0),
                            access_.binary(BinaryOp::Add, distance, access_.number(counted_from)));
    };
    const TargetType *type = record_.type->source->find_type(element);
    if (!type) type = record_.type->source->find_type("unsigned char");
    if (!type) type = record_.type->source->void_type();
    RecordField field{{address(), false, pointer_to(access_.session(), type, element), 0, 0, 0}};
    if (element == "char") field.text = access_.deref_string(address(), 0, false);
    return field;
  }

  TargetAccess &access_;
  const TraceRecord &record_;
};

}  // namespace

std::optional<RecordField> find_field(TargetAccess &access, const TraceRecord &record, const std::string &name) {
  const FieldReader reader(access, record);
  if (name == "__entry") return RecordField{reader.whole()};
  for (const TargetMember &member : record.type->members())
    if (is_listed(member) && field_name(member) == name) return reader.listed(member);
  if (name.starts_with(common_prefix)) return reader.common(std::string_view(name).substr(common_prefix.size()));
  return std::nullopt;
}

std::vector<ListedVariable> describe_fields(const TraceRecord &record) {
  std::vector<ListedVariable> list;
  for (const TargetMember &member : record.type->members()) {
    if (!is_listed(member)) continue;
    std::string type = dynamic_element(record, member);
    const bool is_text =
        type.empty() ? member.type->kind == TypeKind::Array && member.type->target()->is_char() : type == "char";
    if (is_text) type = "string";
    else type = type.empty() ? member.type->spelling : type + "*";
    list.push_back({std::string(field_name(member)), type});
  }
  return list;
}
