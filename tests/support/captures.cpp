#include "tests/support/captures.h"

#include <sstream>

namespace warpsim::tests {
namespace {

struct Captures {
  VectorOps ops;
  Vectors semantics, rows;
  std::set<std::string> refused;
};

// The operand that is part of the instruction: lop3's table.
std::optional<std::uint64_t> constant_of(const Instruction& i, const ScalarVector& v) {
  std::size_t source = 0;
  for (const Slot& slot : slots(info(i.op).form)) {
    if (slot.type == SlotType::Byte) return v.operands[source];
    source += slot.role == Role::Src ? 1 : 0;
  }
  return std::nullopt;
}

void sort_by_opcode(const VectorOps& ops, const Vectors& vectors, std::map<std::string, CapturedOpcode>& opcodes) {
  std::map<const std::string*, std::optional<Instruction>> known;  // nothing: no row of the table
  for (const ScalarVector& v : vectors.scalars) {
    auto entry = known.find(v.name);
    if (entry == known.end()) {
      const auto op = ops.find(*v.name);
      const auto i = parse_opcode(op == ops.end() ? *v.name : op->second.opcode);
      const bool a_lane = i && is_lanewise(info(i->op).lift);
      entry = known.emplace(v.name, a_lane ? i : std::nullopt).first;
    }
    if (!entry->second) continue;
    const std::optional<std::uint64_t> byte = constant_of(*entry->second, v);
    const std::string text = opcode_text(*entry->second) + (byte ? " " + std::to_string(*byte) : "");
    CapturedOpcode& opcode = opcodes[text];
    opcode.instruction = *entry->second;
    opcode.constant = byte;
    opcode.lines.push_back(&v);
  }
}

std::set<std::string> refused_in(const std::string& text) {
  const std::string begin = "# refused by the driver's compiler: ";
  std::set<std::string> refused;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, begin.size(), begin) == 0) refused.insert(line.substr(begin.size()));
  }
  return refused;
}

const Captures& captures() {
  static const Captures kCaptures = [] {
    Captures c;
    const std::string rows = read_xz(data_path("h200_rows.txt.xz")).value_or("");
    c.ops = parse_vector_ops(read_file(data_path("vector_ops.txt")).value_or(""));
    c.semantics = parse_semantics(read_xz(data_path("h200_semantics.txt.xz")).value_or(""), c.ops);
    c.rows = parse_rows(rows);
    c.refused = refused_in(rows);
    return c;
  }();
  return kCaptures;
}

}  // namespace

const std::map<std::string, CapturedOpcode>& captured_opcodes() {
  static const std::map<std::string, CapturedOpcode> kOpcodes = [] {
    std::map<std::string, CapturedOpcode> opcodes;
    sort_by_opcode(captures().ops, captures().semantics, opcodes);
    sort_by_opcode(captures().ops, captures().rows, opcodes);
    return opcodes;
  }();
  return kOpcodes;
}

const std::map<std::string, std::vector<const AtomicVector*>>& captured_atomics() {
  static const auto kAtomics = [] {
    std::map<std::string, std::vector<const AtomicVector*>> atomics;
    for (const Vectors* vectors : {&captures().semantics, &captures().rows}) {
      for (const AtomicVector& v : vectors->atomics) atomics[v.opcode].push_back(&v);
    }
    return atomics;
  }();
  return kAtomics;
}

const std::map<std::string, std::vector<const ScalarVector*>>& captured_barriers() {
  static const auto kBarriers = [] {
    std::map<std::string, std::vector<const ScalarVector*>> barriers;
    for (const ScalarVector& v : captures().rows.scalars) {
      if (v.name->starts_with("bar.red.")) barriers[*v.name].push_back(&v);
    }
    return barriers;
  }();
  return kBarriers;
}

const std::map<std::string, std::vector<MoveVector>>& captured_moves() { return captures().rows.moves; }

const std::set<std::string>& refused_opcodes() { return captures().refused; }

}  // namespace warpsim::tests
