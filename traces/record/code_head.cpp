// See code_head.h.
#include "traces/record/code_head.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "isa/sass/decoder.h"
#include "isa/sass/kin.h"
#include "isa/text/lines.h"
#include "isa/text/number_text.h"
#include "isa/text/source.h"
#include "isa/text/word.h"
#include "traces/model/instruction_texts.h"

namespace warpsim {
namespace {

// Shows a register as a float where only such are computed there.
class ShownTypes {
 public:
  void add(unsigned number, const sass::Instruction& insn) {
    const sass::ResultKind kind = sass::result_of(opcode_of(insn));
    if (kind == sass::ResultKind::Float) floats_.insert(number);
    if (kind == sass::ResultKind::Integer) others_.insert(number);
  }
  Type of(unsigned number) const {
    return floats_.count(number) != 0 && others_.count(number) == 0 ? Type::F32 : Type::B32;
  }

 private:
  std::set<unsigned> floats_, others_;
};

// The registers that occur, by kind in the order of their numbers.
std::vector<TraceRegister> registers_of(const std::vector<sass::Instruction>& code) {
  std::set<unsigned> wide, uniform, predicates, uniform_predicates;
  ShownTypes types;
  const auto add = [](std::set<unsigned>& to, unsigned first, unsigned count, unsigned end) {
    for (unsigned k = first; k < std::min(first + count, end); ++k) to.insert(k);
  };
  for (const sass::Instruction& insn : code) {
    const unsigned written = sass::registers_written(opcode_of(insn));
    if (insn.guard != sass::kTrue) (insn.guard_uniform ? uniform_predicates : predicates).insert(insn.guard);
    for (const sass::Operand& o : insn.operands) {
      const unsigned count = o.is_destination ? written : 1;
      for (unsigned k = 0; o.is_destination && o.kind == sass::OperandKind::Register && k < count; ++k)
        types.add(o.number + k, insn);
      if (o.kind == sass::OperandKind::Register) add(wide, o.number, count, sass::kZero);
      else if (o.kind == sass::OperandKind::Uniform) add(uniform, o.number, count, sass::kUniformZero);
      else if (o.kind == sass::OperandKind::Predicate) add(predicates, o.number, 1, sass::kTrue);
      else if (o.kind == sass::OperandKind::UniformPredicate) add(uniform_predicates, o.number, 1, sass::kTrue);
      else if (o.kind == sass::OperandKind::Memory) add(wide, o.base, 1, sass::kZero);
    }
  }
  std::vector<TraceRegister> registers;
  const auto name = [&registers](const std::set<unsigned>& numbers, const std::string& prefix, Type type) {
    for (const unsigned number : numbers) registers.push_back({prefix + std::to_string(number), type});
  };
  for (const unsigned number : wide) registers.push_back({"%R" + std::to_string(number), types.of(number)});
  name(uniform, "%UR", Type::B32);
  name(predicates, "%P", Type::Pred);
  name(uniform_predicates, "%UP", Type::Pred);
  return registers;
}

// Places in the sources, each once.
class Places {
 public:
  Places(TraceHead& head, const CodeHead& code) : head_(head), code_(code) {}

  void add(TraceInsn& insn, const sass::CodeWord& word) {
    if (!code_.program_lines.empty()) {
      const std::uint32_t line =
          word.ptx_line == 0 || word.ptx_line > code_.program_lines.size() ? 0 : code_.program_lines[word.ptx_line - 1];
      insn.place = insn.innermost = line == 0 ? -1 : place(0, line, -1);
    } else if (word.cuda.line != 0 && word.cuda.file != 0) {
      insn.place = insn.innermost = place(source(word.cuda), word.cuda.line, -1);
      if (word.inlined.line != 0 && word.inlined.file != 0)
        insn.innermost = place(source(word.inlined), word.inlined.line, insn.place);
    } else if (word.ptx_line != 0) {
      insn.place = insn.innermost = place(source(program_file_, program_text_), word.ptx_line, -1);
    }
  }
  void keep_program() {
    program_file_ = head_.file;
    program_text_ = head_.text;
    if (!code_.program_lines.empty()) head_.sources = {{program_file_, program_text_}};
  }

 private:
  std::uint32_t source(sass::CudaLine line) { return source(without_folder(code_.cubin->files[line.file - 1]), ""); }
  std::uint32_t source(const std::string& file, const std::string& text) {
    for (std::size_t k = 0; k < head_.sources.size(); ++k)
      if (head_.sources[k].file == file) return static_cast<std::uint32_t>(k);
    head_.sources.push_back({file, text});
    return static_cast<std::uint32_t>(head_.sources.size() - 1);
  }
  // The whole line, without the blanks before it.
  std::int32_t place(std::uint32_t of, std::uint32_t line, std::int32_t inlined_at) {
    const auto [at, is_new] =
        known_.try_emplace({of, line, inlined_at}, static_cast<std::int32_t>(head_.places.size()));
    if (is_new) {
      const std::string_view text = line_in(head_.sources[of].text, line), code = trimmed(text);
      const std::size_t blanks = code.empty() ? 0 : static_cast<std::size_t>(code.data() - text.data());
      head_.places.push_back({of, line, static_cast<std::uint32_t>(blanks + 1),
                              static_cast<std::uint32_t>(std::max<std::size_t>(code.size(), 1)), "", inlined_at});
    }
    return at->second;
  }

  TraceHead& head_;
  const CodeHead& code_;
  std::string program_file_, program_text_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>, std::int32_t> known_;
};

std::string ptx_line(const sass::Cubin& cubin, std::uint32_t line) {
  if (line == 0 || line > cubin.ptx.size()) return "";
  std::string text(trimmed(cubin.ptx[line - 1]));
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

}  // namespace

TraceHead code_head(TraceHead head, const CodeHead& code) {
  std::vector<sass::Instruction> insns = sass::decode(*code.section);
  insns.resize(sass::begin_of_padding(insns));
  head.version = "1.7";
  head.is_machine_code = true;
  head.code.clear();
  head.places.clear();
  head.variables.clear();
  head.phases.clear();
  head.pictures.clear();
  head.registers = registers_of(insns);
  Places places(head, code);
  places.keep_program();
  head.file = head.file.substr(0, head.file.rfind('.')) + ".sass";
  head.text.clear();
  for (std::size_t k = 0; k < insns.size(); ++k) {
    TraceInsn& insn = head.code.emplace_back();
    insn.pc = static_cast<std::int32_t>(k);
    insn.line = static_cast<std::uint32_t>(k + 1);
    insn.text = text_of(insns[k]);
    insn.op = opcode_of(insns[k]);
    insn.doc = ptx_line(*code.cubin, code.section->words[k].ptx_line);
    for (const sass::Operand& o : insns[k].operands) insn.operands.push_back(o.text);
    places.add(insn, code.section->words[k]);
    head.text += hex_digits(insns[k].address, 4) + "  " + insn.text + "\n";
  }
  read_instruction_texts(head);
  return head;
}

}  // namespace warpsim
