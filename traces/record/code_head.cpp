// See code_head.h.
#include "traces/record/code_head.h"

#include <algorithm>
#include <array>
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

// A register as machine code numbers it, in the order in which a head has them.
enum class Bank : std::uint8_t { Wide, Uniform, Predicate, UniformPredicate };
using Number = std::pair<Bank, unsigned>;

enum class Use : std::uint8_t { Writes, Value, Exchanged, Address };
struct Used {
  Use use;
  Number number;
};

void add(std::vector<Used>& list, Use use, Bank bank, unsigned first, unsigned count) {
  constexpr std::array<unsigned, 4> kReadsAsConstant = {sass::kZero, sass::kUniformZero, sass::kTrue, sass::kTrue};
  for (unsigned k = first; k < std::min(first + count, kReadsAsConstant[static_cast<std::size_t>(bank)]); ++k)
    list.push_back({use, {bank, k}});
}

// What crosses lanes exchanges its first register, or its predicates; its other sources choose lanes.
Use use_of(const sass::Instruction& insn, const sass::Operand& operand, bool is_first_register) {
  if (operand.is_destination) return Use::Writes;
  if (insn.name == "SHFL") return is_first_register ? Use::Exchanged : Use::Address;
  if (insn.name == "VOTE" || insn.name == "VOTEU")
    return operand.kind == sass::OperandKind::Predicate ? Use::Exchanged : Use::Value;
  if (insn.name == "MATCH" || insn.name == "REDUX" || insn.name == "CREDUX") return Use::Exchanged;
  return Use::Value;
}

std::vector<Used> used_by(const sass::Instruction& insn) {
  std::vector<Used> used;
  bool has_register = false;
  for (std::size_t k = 0; k < insn.operands.size(); ++k) {
    const sass::Operand& o = insn.operands[k];
    const bool is_register = o.kind == sass::OperandKind::Register, is_first = is_register && !has_register;
    has_register = has_register || (is_register && !o.is_destination);
    const Use use = use_of(insn, o, is_first);
    const unsigned count = o.is_destination ? sass::registers_written(opcode_of(insn)) : sass::registers_read(insn, k);
    if (is_register) add(used, use, Bank::Wide, o.number, count);
    if (o.kind == sass::OperandKind::Uniform) add(used, use, Bank::Uniform, o.number, count);
    if (o.kind == sass::OperandKind::Predicate) add(used, use, Bank::Predicate, o.number, 1);
    if (o.kind == sass::OperandKind::UniformPredicate) add(used, use, Bank::UniformPredicate, o.number, 1);
    if (o.kind != sass::OperandKind::Memory && o.kind != sass::OperandKind::Constant) continue;
    add(used, Use::Address, Bank::Wide, o.base, sass::registers_of_address(o));
    add(used, Use::Address, Bank::Uniform, o.uniform, o.has_descriptor ? 2 : 1);
  }
  return used;
}

// The registers that occur, by kind in the order of their numbers.
std::vector<Number> registers_of(const std::vector<sass::Instruction>& code) {
  std::set<Number> numbers;
  for (const sass::Instruction& insn : code) {
    if (insn.guard != sass::kTrue)
      numbers.insert({insn.guard_uniform ? Bank::UniformPredicate : Bank::Predicate, insn.guard});
    for (const Used& one : used_by(insn)) numbers.insert(one.number);
  }
  return {numbers.begin(), numbers.end()};
}

std::vector<TraceRegister> named(const std::vector<Number>& numbers, const std::vector<sass::Instruction>& code) {
  ShownTypes types;
  for (const sass::Instruction& insn : code)
    for (const Used& one : used_by(insn))
      if (one.use == Use::Writes && one.number.first == Bank::Wide) types.add(one.number.second, insn);
  constexpr std::array<const char*, 4> kPrefixes = {"%R", "%UR", "%P", "%UP"};
  std::vector<TraceRegister> registers;
  for (const auto& [bank, number] : numbers)
    registers.push_back(
        {kPrefixes[static_cast<std::size_t>(bank)] + std::to_string(number), bank == Bank::Wide      ? types.of(number)
                                                                             : bank == Bank::Uniform ? Type::B32
                                                                                                     : Type::Pred});
  return registers;
}

// By their places in the head.
TraceInsnRegisters registers_used(const sass::Instruction& insn, const std::vector<Number>& numbers) {
  TraceInsnRegisters out;
  for (const auto& [use, number] : used_by(insn)) {
    const auto place =
        static_cast<std::int32_t>(std::lower_bound(numbers.begin(), numbers.end(), number) - numbers.begin());
    std::vector<std::int32_t>& list = use == Use::Writes      ? out.writes
                                      : use == Use::Value     ? out.value
                                      : use == Use::Exchanged ? out.exchanged
                                                              : out.address;
    if (std::find(list.begin(), list.end(), place) == list.end()) list.push_back(place);
  }
  std::sort(out.writes.begin(), out.writes.end());
  return out;
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
  head.version = "1.8";
  head.is_machine_code = true;
  head.code.clear();
  head.places.clear();
  head.variables.clear();
  head.phases.clear();
  head.pictures.clear();
  const std::vector<Number> numbers = registers_of(insns);
  head.registers = named(numbers, insns);
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
    insn.registers = registers_used(insns[k], numbers);
    places.add(insn, code.section->words[k]);
    head.text += hex_digits(insns[k].address, 4) + "  " + insn.text + "\n";
  }
  read_instruction_texts(head);
  return head;
}

}  // namespace warpsim
