// See ptx_lesson.h.
#include "isa/ptx/ptx_lesson.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "isa/text/number_text.h"

namespace warpsim::ptx {
namespace {

std::string size_text(const Param& p) { return counted(p.size_bytes(), "byte"); }

// The description's parameter where the kernel has it. False if it has another size.
bool give_name(Param& param, const Param& described, std::size_t number, Diagnostics& diagnostics) {
  if (param.value_bytes != 0 || param.size_bytes() != described.size_bytes()) {
    const std::string what = param.value_bytes != 0 ? "a structure of " + size_text(param) : size_text(param);
    diagnostics.error("P031", described.where,
                      quoted(described.name) + " has " + size_text(described) + ", but parameter " +
                          std::to_string(number) + " of the kernel is " + what,
                      param.value_bytes != 0 ? "its members stand between braces: s { in x: f32[n], param k: s32 }"
                                             : "a buffer is an address of 8 bytes; a scalar has its type's size");
    return false;
  }
  const std::uint32_t offset = param.offset_bytes;
  param = described;
  param.offset_bytes = offset;
  return true;
}

// One parameter of the kernel as it is described: a parameter, or the members of a structure.
struct Item {
  std::vector<Param> params;
  bool is_structure = false;
};

bool is_before(const SourceRange& a, const SourceRange& b) {
  return std::tie(a.line, a.column) < std::tie(b.line, b.column);
}

std::vector<Item> items_of(const Lesson& description, std::span<const Structure> structures) {
  std::vector<Item> items;
  const Structure* last = nullptr;
  for (const Param& one : description.params) {
    const auto inside = std::find_if(structures.begin(), structures.end(), [&one](const Structure& s) {
      return is_before(s.from, one.where) && is_before(one.where, s.to);
    });
    const Structure* const structure = inside == structures.end() ? nullptr : &*inside;
    if (structure == nullptr || structure != last) items.push_back({{}, structure != nullptr});
    items.back().params.push_back(one);
    last = structure;
  }
  return items;
}

// Gives the members their places. False if they fill no structure of this size.
bool place_members(const Param& whole, std::vector<Param>& members, std::size_t number, Diagnostics& diagnostics) {
  std::uint64_t end = 0, alignment = 1;
  for (Param& one : members) {
    const std::uint32_t size = one.size_bytes();
    one.offset_bytes = static_cast<std::uint32_t>(whole.offset_bytes + aligned(end, size));
    end = aligned(end, size) + size;
    alignment = std::max<std::uint64_t>(alignment, size);
  }
  end = aligned(end, std::max<std::uint64_t>(alignment, whole.alignment_bytes));
  if (whole.value_bytes != 0 && end == whole.value_bytes) return true;
  diagnostics.error("P031", members.front().where,
                    "the members fill " + counted(end, "byte") + ", but parameter " + std::to_string(number) +
                        " of the kernel is " + (whole.value_bytes != 0 ? "a structure of " : "no structure: it has ") +
                        size_text(whole),
                    "name every member; padding that a structure inside has is a member, too");
  return false;
}

// The members take the structure's place: the first stands there, the others come last. What the code reads of the
// structure it reads of the member that has all of it, else from the first on.
void split(Program& program, std::size_t index, const std::vector<Param>& members) {
  const std::int32_t structure = static_cast<std::int32_t>(index);
  const std::uint32_t begin = program.params[index].offset_bytes;
  const std::size_t more = program.params.size();
  program.params[index] = members.front();
  program.params.insert(program.params.end(), members.begin() + 1, members.end());
  for (Insn& insn : program.code)
    for (warpsim::Operand& o : insn.operands) {
      if (o.kind != warpsim::Operand::Kind::Param || o.param != structure) continue;
      const std::int64_t at = begin + (o.expr.empty() ? 0 : o.expr.evaluate(1));
      for (std::size_t k = 0; k < members.size(); ++k) {
        const std::int64_t far = at - members[k].offset_bytes;
        if (far < 0 || far + bytes(insn.type) > members[k].size_bytes()) continue;
        o.param = static_cast<std::int32_t>(k == 0 ? index : more + k - 1);
        o.expr = far == 0 ? ConstExpr{} : ConstExpr::number(far);
        break;
      }
    }
}

// Of the first one that opens; lengths may have others within: f32[(n + 1) / 2].
std::size_t closing_parenthesis(std::string_view text, std::size_t at) {
  for (int open = 0; (at = text.find_first_of("()", at)) != std::string_view::npos; ++at)
    if ((open += text[at] == '(' ? 1 : -1) <= 0) return at;
  return at;
}

}  // namespace

// What the description says stands in a file of its own.
static void place_in_description(Lesson& lesson, const SourceFile& source) {
  auto module = std::make_shared<warpsim::Module>(*lesson.module);
  const std::uint32_t file = static_cast<std::uint32_t>(module->files.size());
  module->files.push_back(source);
  lesson.module = std::move(module);
  for (Param& one : lesson.params)
    if (!one.is_variable) one.where.file = file;
  for (Case& one : lesson.cases) {
    one.where.file = file;
    for (CaseField& field : one.fields) field.where.file = file;
  }
}

std::optional<Lesson> described(Program program, const Lesson& description, Diagnostics& diagnostics,
                                std::span<const Structure> structures) {
  std::vector<Item> items = items_of(description, structures);
  std::vector<std::size_t> passed;
  for (std::size_t k = 0; k < program.params.size(); ++k)
    if (!program.params[k].is_variable) passed.push_back(k);
  if (passed.size() != items.size()) {
    diagnostics.error("P030", description.where,
                      quoted(description.name) + " is described with " + counted(items.size(), "parameter") +
                          ", the kernel has " + std::to_string(passed.size()),
                      "`warpsim kernels FILE` lists them");
    return std::nullopt;
  }
  bool fits = true;
  for (std::size_t k = 0; k < passed.size(); ++k) {
    Param& param = program.params[passed[k]];
    if (!items[k].is_structure) fits = give_name(param, items[k].params.front(), k, diagnostics) && fits;
    else if (!place_members(param, items[k].params, k, diagnostics)) fits = false;
    else split(program, passed[k], items[k].params);
  }
  if (!fits) return std::nullopt;
  Lesson lesson = description;
  static_cast<Program&>(lesson) = std::move(program);
  lesson.group = description.group;
  lesson.exemptions = description.exemptions;
  lesson.unordered = description.unordered;
  lesson.allowances = description.allowances;
  lesson.phases.clear();
  lesson.pictures.clear();
  place_in_description(lesson, description.source());
  return lesson;
}

namespace {

bool is_part_of_name(char c) { return c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); }

SourceRange place_in_text(const std::string& text, std::size_t at) {
  const std::size_t line = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t begin = line == std::string::npos ? 0 : line + 1;
  SourceRange where;
  where.line = static_cast<std::uint32_t>(1 + std::count(text.begin(), text.begin() + static_cast<long>(begin), '\n'));
  where.column = static_cast<std::uint32_t>(at - begin + 1);
  return where;
}

// Blanks for `s {` and for its `}`, between these places.
void take_structures(Descriptions& made, std::size_t from, std::size_t to) {
  std::string& text = made.text;
  for (std::size_t open = text.find('{', from); open < to; open = text.find('{', open)) {
    const std::size_t close = text.find('}', open);
    if (close >= to) return;  // the assembler says what is wrong
    made.structures.push_back({place_in_text(text, open), place_in_text(text, close)});
    std::size_t name = open;
    while (name > from && text[name - 1] == ' ') --name;
    while (name > from && is_part_of_name(text[name - 1])) text[--name] = ' ';
    text[open] = text[close] = ' ';
  }
}

}  // namespace

// Behind the parenthesis that ends a kernel's parameters, in the same line, so that places stay true.
Descriptions with_bodies(std::string descriptions) {
  Descriptions made{std::move(descriptions), {}};
  std::string& text = made.text;
  constexpr std::string_view kKernel = ".kernel", kBody = "; exit";
  for (std::size_t at = text.find(kKernel); at != std::string::npos; at = text.find(kKernel, at)) {
    const std::size_t line = text.rfind('\n', at) == std::string::npos ? 0 : text.rfind('\n', at) + 1;
    at += kKernel.size();
    if (text.find_first_not_of(" \t", line) != at - kKernel.size()) continue;  // in a comment, say
    const std::size_t end = closing_parenthesis(text, at);
    if (end == std::string::npos) break;
    take_structures(made, at, end);
    text.insert(end + 1, kBody);
    at = end + kBody.size();
  }
  return made;
}

}  // namespace warpsim::ptx
