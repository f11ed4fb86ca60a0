// See decoder.h. A row's fields are read from left to right, each time a word is decoded; the legend is in
// instructions.def.
#include "isa/sass/decoder.h"

#include <array>
#include <string>

#include "isa/sass/operand_reader.h"
#include "isa/sass/table.h"

namespace warpsim::sass {
namespace {

constexpr Row kRows[] = {
#define SASS(base, forms, name, fields) {base, forms, name, fields},
#include "isa/sass/instructions.def"
#undef SASS
};

constexpr unsigned kBases = 512;

// The rows of an opcode's lowest 9 bits, in the table's order.
const std::vector<const Row*>& rows_of(unsigned base) {
  static const auto all = [] {
    std::array<std::vector<const Row*>, kBases> lists;
    for (const Row& row : kRows) lists[row.base].push_back(&row);
    return lists;
  }();
  return all[base];
}

bool has_form(const Row& row, unsigned form) {
  return row.forms.find(static_cast<char>('0' + form)) != std::string_view::npos;
}

std::uint8_t small(std::uint64_t bits) { return static_cast<std::uint8_t>(bits); }

}  // namespace

Control control_of(Word word) {
  return {small(word.bits(105, 4)), !word.bit(109),           small(word.bits(110, 3)),
          small(word.bits(113, 3)), small(word.bits(116, 6)), small(word.bits(122, 4))};
}

Instruction decode(Word word, std::uint64_t address) {
  constexpr Word kEverywhere = Word::ones(0, 16) | Word::ones(105, 17);
  const unsigned opcode = static_cast<unsigned>(word.bits(0, 12));
  Instruction insn;
  insn.word = word;
  insn.address = address;
  insn.guard = small(word.bits(12, 3));
  insn.guard_negated = word.bit(15);
  insn.control = control_of(word);
  for (const Row* row : rows_of(opcode % kBases)) {
    if (!has_form(*row, opcode / kBases)) continue;
    OperandReader reader(*row, insn, kEverywhere);
    if (!reader.fits()) continue;
    insn.is_known = true;
    insn.name = row->name;
    reader.read();
    insn.unknown_bits = reader.unknown_bits();
    break;
  }
  return insn;
}

std::vector<Instruction> decode(const CodeSection& section) {
  std::vector<Instruction> code;
  for (const CodeWord& word : section.words) code.push_back(decode(word.word, code.size() * kWordBytes));
  return code;
}

std::size_t begin_of_padding(std::span<const Instruction> code) {
  std::size_t begin = code.size();
  while (begin != 0 && code[begin - 1].name == "NOP" && code[begin - 1].is_whole()) --begin;
  return begin;
}

std::string faults_of_table() {
  std::string faults;
  for (const Row& row : kRows) {
    for (const char form : row.forms) {
      Instruction insn;
      insn.word.low = row.base | static_cast<std::uint64_t>(form - '0') << 9;
      OperandReader reader(row, insn, {});
      reader.fits();
      reader.read();
      if (!reader.fault().empty()) faults += std::string(row.name) + ": " + reader.fault() + "\n";
    }
  }
  return faults;
}

}  // namespace warpsim::sass
