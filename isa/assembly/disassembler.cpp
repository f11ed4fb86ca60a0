// Lesson → text that assemble() reads back to the same lesson.
//
// Shapes: header, what the program is called, .kernel, .reg for every register in the type it is shown in, .shared, the
//         instructions with their labels and phases, pictures, cases.
// Units:  none.
// Errors: none.
// Source: the syntax in isa/SYNTAX.md.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>

#include "isa/assembly/assembler.h"
#include "isa/assembly/disassembler.h"
#include "isa/assembly/opcode.h"
#include "isa/table/special.h"
#include "isa/text/number_text.h"

namespace warpsim {
namespace {

constexpr std::size_t kLabelColumns = 8, kOpcodeColumns = 16, kLineColumns = 100;

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') out += "\\n";
    else if (c == '"' || c == '\\') out.append(1, '\\').append(1, c);
    else out += c;
  }
  return out + "\"";
}

std::string float_text(double value) {
  if (std::isnan(value)) return std::signbit(value) ? "-nan" : "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return number_text(value);
}

std::string exact_bits(std::uint64_t bits, Type type) {
  std::array<char, 32> buffer{};
  if (warpsim::bits(type) == 64)
    std::snprintf(buffer.data(), buffer.size(), "0d%016llX", static_cast<unsigned long long>(bits));
  else std::snprintf(buffer.data(), buffer.size(), "0f%08llX", static_cast<unsigned long long>(bits));
  return buffer.data();
}

// " + 1", " - 1" or "": the constant part after a register. It binds like a sum, so weaker operators need parentheses.
std::string constant_part(const ConstExpr& e) {
  if (e.empty()) return "";
  if (e.is_number()) {
    const std::int64_t n = e.tokens[0].number;
    if (n >= 0) return " + " + std::to_string(n);
    return " - " + std::to_string(0 - static_cast<std::uint64_t>(n));
  }
  const ConstToken::Kind last = e.tokens.back().kind;
  const bool weak = last == ConstToken::Kind::Shl || last == ConstToken::Kind::Shr || last == ConstToken::Kind::And ||
                    last == ConstToken::Kind::Or || last == ConstToken::Kind::Xor;
  return " + " + (weak ? "(" + e.to_string() + ")" : e.to_string());
}

class InstructionText {
 public:
  explicit InstructionText(const Program& program) : program_(program) {}

  std::string instruction(std::int32_t pc) const {
    const Insn& insn = program_.code[static_cast<std::size_t>(pc)];
    const std::string guard_part = guard_text(insn), opcode_part = opcode(insn), operand_part = operands(insn);
    return guard_part + opcode_part + (operand_part.empty() ? "" : " " + operand_part);
  }

 protected:
  const Register& reg(std::int32_t index) const { return program_.registers[static_cast<std::size_t>(index)]; }
  std::string param_name(std::int32_t index) const { return program_.params[static_cast<std::size_t>(index)].name; }
  std::string object_name(std::int32_t index) const { return program_.objects[static_cast<std::size_t>(index)].name; }

  std::string label_at(std::int32_t pc) const {
    for (const auto& [label, at] : program_.labels) {
      if (at == pc) return label;
    }
    return "L" + std::to_string(pc);  // a program that was built without names
  }

  std::string guard_text(const Insn& insn) const {
    if (insn.guard.reg < 0) return "";
    return std::string(insn.guard.negated ? "@!" : "@") + reg(insn.guard.reg).name + " ";
  }
  static std::string opcode(const Insn& insn) {
    return opcode_text({insn.op, insn.type, insn.type2, insn.mods, false});
  }

  std::string operand(const Operand& o, Type type) const {
    switch (o.kind) {
      case Operand::Kind::None: return "";
      case Operand::Kind::Reg: return (o.negated ? "!" : "") + reg(o.reg).name;
      case Operand::Kind::Imm: return o.expr.to_string();
      case Operand::Kind::FloatImm: return float_text(__builtin_bit_cast(double, o.float_bits));
      case Operand::Kind::BitsImm: return exact_bits(o.float_bits, type);
      case Operand::Kind::Special: return std::string(name(o.special));
      case Operand::Kind::Param:
      case Operand::Kind::BufferAddr: return param_name(o.param);
      case Operand::Kind::ObjectAddr: return object_name(o.object);
      case Operand::Kind::Element:
        return (o.param >= 0 ? param_name(o.param) : object_name(o.object)) + "[" + index(o) + "]";
      case Operand::Kind::Address: return "[" + index(o) + "]";
      case Operand::Kind::Label: return label_at(o.target);
      case Operand::Kind::Table: return "table" + std::to_string(o.target);
      case Operand::Kind::Width: return "width=" + o.expr.to_string();
    }
    return "";
  }

  std::string index(const Operand& o) const {
    if (o.reg >= 0) return reg(o.reg).name + constant_part(o.expr);
    if (o.special_index >= 0) return std::string(name(static_cast<Special>(o.special_index))) + constant_part(o.expr);
    if (o.kind == Operand::Kind::Address && o.object >= 0) return object_name(o.object) + constant_part(o.expr);
    return o.expr.empty() ? "0" : o.expr.to_string();
  }

  std::string operands(const Insn& insn) const {
    const OpInfo& row = info(insn.op);
    const auto form = slots(row.form);
    std::string text;
    bool gap = false;  // an operand before was left out or has a name: those after it need theirs
    for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
      const Operand& o = insn.operands[k];
      if (is_hidden(form[k])) continue;
      const bool second = is_second_destination(form[k]);
      if (o.kind == Operand::Kind::None && may_be_dropped(row, form[k])) {
        text += "_";
        continue;
      }
      if (o.kind == Operand::Kind::None) {
        gap = gap || !second;
        continue;
      }
      std::string word = operand(o, slot_type(form[k].type, insn.type, insn.type2));
      if (row.lift == Lift::LoadParam && form[k].role == Role::Addr) word = "[" + word + "]";
      if (gap && form[k].when_absent == Default::FullMask && info(insn.op).form != Form::Warp) word = "mask=" + word;
      gap = gap || o.kind == Operand::Kind::Width;
      if (form[k].in_braces && (k == 0 || !form[k - 1].in_braces)) word = "{" + word;
      if (form[k].in_braces && (k + 1 == form.size() || !form[k + 1].in_braces)) word += "}";
      text += (text.empty() ? "" : second ? "|" : ", ") + word;
    }
    return text;
  }

 private:
  const Program& program_;
};

class LessonText : InstructionText {
 public:
  explicit LessonText(const Lesson& lesson) : InstructionText(lesson), lesson_(lesson) {}

  std::string whole() {
    head();
    kernel();
    registers();
    for (const Object& one : lesson_.objects)
      out_ += ".shared " + (one.alignment_bytes == 0 ? "" : ".align " + std::to_string(one.alignment_bytes) + " ") +
              std::string(name(one.type)) + " " + one.name + "[" + one.length.to_string() + "]\n";
    for (const Unordered& one : lesson_.unordered) text_line(".unordered " + one.output, one.reason);
    for (const Allowance& one : lesson_.allowances) text_line(".allow " + warpsim::code(one.code), one.reason);
    code();
    for (const Phase& p : lesson_.pictures) phase(".picture", p);
    for (const Case& c : lesson_.cases) one_case(c);
    return std::move(out_);
  }

 private:
  void text_line(std::string_view directive, const std::string& text) {
    if (!text.empty()) out_ += std::string(directive) + " " + in_quotes(text) + "\n";
  }

  void head() {
    for (std::size_t begin = 0; begin < lesson_.header.size();) {
      const std::size_t end = std::min(lesson_.header.find('\n', begin), lesson_.header.size());
      const std::string line = lesson_.header.substr(begin, end - begin);
      out_ += line.empty() ? "//\n" : "// " + line + "\n";
      begin = end + 1;
    }
    if (!lesson_.header.empty()) out_ += "\n";
    text_line(".title", lesson_.title);
    text_line(".document", lesson_.document);
    text_line(".section", lesson_.section);
    text_line(".puzzle", lesson_.puzzle);
    if (!lesson_.group.empty()) out_ += ".group " + lesson_.group + "\n";
    if (!lesson_.twin_of.empty()) out_ += ".twin " + lesson_.twin_of + "\n";
    for (const Exemption& one : lesson_.exemptions) {
      std::string lanes;
      for (const unsigned count : one.lanes) lanes += (lanes.empty() ? "" : ", ") + std::to_string(count);
      text_line(".exempt " + lanes, one.reason);
    }
  }

  void kernel() {
    out_ += ".kernel " + lesson_.name + " (";
    for (std::size_t i = 0; i < lesson_.params.size(); ++i) {
      const Param& p = lesson_.params[i];
      out_ += (i == 0 ? "" : ", ") + std::string(name(p.kind)) + " " + p.name + ": " + std::string(name(p.type));
      if (p.is_buffer()) out_ += "[" + p.length + "]";
      if (!p.default_value.empty()) out_ += " = " + p.default_value;
    }
    out_ += ")\n";
  }

  static Type declared_type(const Register& r) {
    if (reg_class(r.shown_as) == r.cls) return r.shown_as;
    return r.cls == RegClass::Pred   ? Type::Pred
           : r.cls == RegClass::R16  ? Type::B16
           : r.cls == RegClass::R64  ? Type::B64
           : r.cls == RegClass::Mask ? Type::Mask
                                     : Type::B32;
  }

  // One line a type; registers are numbered by their first use, not by this order.
  void registers() {
    for (int t = 0; t < kTypeCount; ++t) {
      std::string line;
      for (const Register& r : lesson_.registers) {
        if (declared_type(r) != static_cast<Type>(t) || r.name == kCarryFlag) continue;
        if (line.size() > kLineColumns) {
          out_ += line + "\n";
          line.clear();
        }
        line += (line.empty() ? ".reg ." + std::string(name(static_cast<Type>(t))) + " " : ", ") + r.name;
      }
      if (!line.empty()) out_ += line + "\n";
    }
    out_ += "\n";
  }

  void code() {
    find_targets();
    std::size_t next_label = 0;
    std::size_t next_phase = 0;
    for (std::size_t pc = 0; pc <= lesson_.code.size(); ++pc) {
      std::string label = labels_before(next_label, static_cast<std::int32_t>(pc));
      const auto begins_here = [&] {
        return next_phase < lesson_.phases.size() &&
               (pc == lesson_.code.size() || lesson_.phases[next_phase].first_pc <= static_cast<std::int32_t>(pc));
      };
      if (begins_here() && !label.empty()) {
        out_ += label + "\n";
        label.clear();
      }
      while (begins_here()) phase(".phase", lesson_.phases[next_phase++]);
      if (pc == lesson_.code.size()) {
        if (!label.empty()) out_ += label + "\n";
        break;
      }
      if (assertion(pc) && !label.empty()) {
        out_ += label + "\n";
        label.clear();
      }
      for (const Assertion& one : lesson_.assertions)
        if (one.pc == static_cast<std::int32_t>(pc))
          out_ +=
              ".assert " + in_quotes(one.condition) + (one.message.empty() ? "" : " " + in_quotes(one.message)) + "\n";
      line(label, lesson_.code[pc]);
    }
  }
  bool assertion(std::size_t pc) const {
    return std::any_of(lesson_.assertions.begin(), lesson_.assertions.end(),
                       [pc](const Assertion& one) { return one.pc == static_cast<std::int32_t>(pc); });
  }

  // All labels of a pc but the last get lines of their own; names are made up where a program has none.
  std::string labels_before(std::size_t& next, std::int32_t pc) {
    std::string label;
    for (; next < lesson_.labels.size() && lesson_.labels[next].second <= pc; ++next) {
      if (!label.empty()) out_ += label + "\n";
      label = lesson_.labels[next].first + ":";
    }
    if (label.empty() && nameless_target_[static_cast<std::size_t>(pc)]) label = "L" + std::to_string(pc) + ":";
    return label;
  }
  void find_targets() {
    nameless_target_.assign(lesson_.code.size() + 1, false);
    for (const Insn& insn : lesson_.code) {
      for (const Operand& o : insn.operands) {
        if (o.kind == Operand::Kind::Label) nameless_target_[static_cast<std::size_t>(o.target)] = true;
      }
    }
    for (const auto& [label, at] : lesson_.labels) nameless_target_[static_cast<std::size_t>(at)] = false;
  }

  void line(const std::string& label, const Insn& insn) {
    std::string text = label;
    if (text.size() >= kLabelColumns) {
      out_ += text + "\n";
      text.clear();
    }
    text.resize(kLabelColumns, ' ');
    text += guard_text(insn) + opcode(insn);
    const std::string words = operands(insn);
    if (!words.empty()) {
      text.resize(std::max(text.size() + 1, kLabelColumns + kOpcodeColumns), ' ');
      text += words;
    }
    out_ += text + "\n";
  }

  void phase(std::string_view directive, const Phase& p) {
    out_ += std::string(directive) + " " + in_quotes(p.title) + (p.options.empty() ? "" : " " + p.options) + "\n";
    for (const DrawLine& d : p.lines)
      out_ += ".draw " + in_quotes(d.text) + (d.options.empty() ? "" : " " + d.options) + "\n";
  }

  void one_case(const Case& c) {
    out_ += "\n.case " + c.name + "\n";
    for (const CaseField& field : c.fields) out_ += "    " + field.key + " = " + field.value + "\n";
  }

  const Lesson& lesson_;
  std::string out_;
  std::vector<bool> nameless_target_;  // by pc
};

}  // namespace

std::string disassemble(const Program& program, std::int32_t pc) { return InstructionText(program).instruction(pc); }
std::string disassemble(const Lesson& lesson) { return LessonText(lesson).whole(); }

}  // namespace warpsim
