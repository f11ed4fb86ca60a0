// The reference itself: it is independent, it knows every row, it gives the H200's bits, and the kernels give the same
// on random operands.
//
// Errors: a difference names the instruction, the operands and both results.
// Source: tests/data/README.md for the captures.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "isa/assembly/opcode.h"
#include "isa/text/diagnostic.h"
#include "tests/support/captures.h"
#include "tests/support/scalar_eval.h"
#include "tests/support/vectors.h"
#include "tools/fuzz/random/random_program.h"
#include "tools/fuzz/reference_interpreter.h"

namespace warpsim::reference {
namespace {

TEST(Reference, SharesOnlyTheProgramWithTheSimulator) {
  const std::set<std::string> plain_data = {"isa/program/program.h",    "isa/table/op.h",
                                            "isa/program/operand.h",    "isa/table/type.h",
                                            "isa/program/const_expr.h", "isa/kernels/mufu_tables.h",
                                            "isa/table/array.h"};
  const std::string folder = "tools/fuzz/";
  int quoted = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(WARPSIM_SOURCE_DIR) + "/" + folder)) {
    const std::string file = entry.path().filename().string();
    if (file.rfind("reference_", 0) != 0 && file.rfind("exact_float", 0) != 0) continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      if (line.rfind("#include \"", 0) != 0) continue;
      const std::string target = line.substr(10, line.find('"', 10) - 10);
      const bool own = target == folder + "exact_float.h" || target.rfind(folder + "reference_", 0) == 0;
      EXPECT_TRUE(own || plain_data.count(target) == 1) << file << " includes " << target;
      ++quoted;
    }
  }
  EXPECT_GE(quoted, 20) << "the include lines were not read";
}

TEST(Reference, DefinesEveryRow) {
  for (int k = 0; k < kAssemblyOpCount; ++k) {
    for (int t = 0; t < kTypeCount; ++t) {
      const OpInfo& row = info(static_cast<Op>(k));
      const Type type = static_cast<Type>(t);
      if (!contains(row.types, type)) continue;
      EXPECT_TRUE(defines(static_cast<Op>(k), type))
          << row.id << ", " << name(type) << ": define it in tools/fuzz/reference_*.cpp";
    }
  }
}

// The interpreter is asked and has no answer for what is no arithmetic, so its yes above is not a default.
TEST(Reference, HasAScalarMeaningForArithmeticOnly) {
  int with = 0, without = 0;
  for (int k = 0; k < kAssemblyOpCount; ++k) {
    const OpInfo& row = info(static_cast<Op>(k));
    const bool combines = row.lift == Lift::Redux || row.lift == Lift::Reduce || row.lift == Lift::Scan;
    const bool computes = is_lanewise(row.lift) || combines;
    ++(computes ? with : without);
    for (int t = 0; t < kTypeCount; ++t) {
      if (!contains(row.types, static_cast<Type>(t))) continue;
      EXPECT_EQ(has_scalar_meaning(static_cast<Op>(k), static_cast<Type>(t)), computes) << row.id;
    }
  }
  EXPECT_GT(with, 100);
  EXPECT_GT(without, 50);
}

std::string describe(const tests::Instruction& i, const std::vector<std::uint64_t>& operands) {
  std::string text = tests::opcode_text(i);
  char hex[24];
  for (const std::uint64_t x : operands) {
    std::snprintf(hex, sizeof hex, " %llx", static_cast<unsigned long long>(x));
    text += hex;
  }
  return text;
}

bool second_result(const tests::Instruction& i, const std::vector<std::uint64_t>& operands) {
  if (info(i.op).form == Form::PAB) return second_predicate(i.op, i.type, i.mods, operands);
  return carries_out(i.op, i.type, operands);
}

std::uint64_t low_bits(std::uint64_t x, int width) { return width >= 64 ? x : x & ((std::uint64_t{1} << width) - 1); }

TEST(Reference, GivesTheBitsOfTheH200) {
  const tests::VectorOps ops =
      tests::parse_vector_ops(tests::read_file(tests::data_path("vector_ops.txt")).value_or(""));
  const auto first = tests::read_xz(tests::data_path("h200_semantics.txt.xz"));
  const auto second = tests::read_xz(tests::data_path("h200_rows.txt.xz"));
  std::map<std::string, int> differences;
  int compared = 0;
  for (const tests::Vectors& vectors :
       {tests::parse_semantics(first.value_or(""), ops), tests::parse_rows(second.value_or(""))}) {
    for (const tests::ScalarVector& v : vectors.scalars) {
      const auto op = ops.find(*v.name);
      const auto instruction = tests::parse_opcode(op == ops.end() ? *v.name : op->second.opcode);
      if (!instruction || !is_lanewise(info(instruction->op).lift)) continue;
      std::vector<std::uint64_t> operands;
      for (const Slot& slot : slots(info(instruction->op).form)) {
        if (slot.role == Role::Src)
          operands.push_back(low_bits(v.operands[operands.size()], tests::slot_bits(slot, *instruction)));
      }
      const std::uint64_t got =
          evaluate(instruction->op, instruction->type, instruction->type2, instruction->mods, operands, 32);
      const int width = tests::result_bits(*instruction);
      ++compared;
      const bool same_carry = !v.carry || second_result(*instruction, operands) == (*v.carry != 0);
      if ((low_bits(got, width) == low_bits(v.result, width) && same_carry) || ++differences[*v.name] > 2) continue;
      ADD_FAILURE() << "line " << v.line << ": " << describe(*instruction, operands) << ": the H200 gave " << std::hex
                    << low_bits(v.result, width) << ", the reference " << low_bits(got, width);
    }
  }
  EXPECT_GT(compared, 50'000);
}

TEST(Reference, GivesTheAtomicsOfTheH200) {
  EXPECT_GT(tests::captured_atomics().size(), 90U) << "cannot read the captures in tests/data";
  for (const auto& [opcode, lines] : tests::captured_atomics()) {
    const auto instruction = tests::parse_opcode(opcode);
    ASSERT_TRUE(instruction) << opcode;
    for (const tests::AtomicVector* v : lines)
      EXPECT_EQ(evaluate_atomic(instruction->op, instruction->type, v->old, v->b, v->c), v->left)
          << opcode << ", line " << v->line;
  }
}

// Every row with a scalar meaning, every type, every modifier: the type and modifier sets are walked, nothing is
// listed.
std::vector<tests::Instruction> all_scalar_instructions() {
  std::vector<tests::Instruction> found;
  for (int op = 0; op < kAssemblyOpCount; ++op) {
    for (int t = 0; t < kTypeCount; ++t) {
      for (int t2 = 0; t2 < (has_second_type(info(static_cast<Op>(op)).form) ? kTypeCount : 1); ++t2) {
        for (const Mods& mods : tests::modifiers_of(info(static_cast<Op>(op)))) {
          const tests::Instruction i{static_cast<Op>(op), static_cast<Type>(t), static_cast<Type>(t2), mods};
          const std::string text = tests::opcode_text(i);
          Diagnostics complaints;
          Token word;
          word.kind = Token::Kind::Word;
          word.text = text;
          const auto accepted = select_opcode(word, complaints);
          if (accepted && accepted->op == i.op && accepted->type == i.type && accepted->type2 == i.type2 &&
              accepted->mods == i.mods) {
            found.push_back(i);
          }
        }
      }
    }
  }
  return found;
}

TEST(Reference, AgreesWithTheKernelsOnRandomOperands) {
  Random random(2026);
  std::map<std::string, int> differences;
  std::set<Op> rows;
  int compared = 0;
  for (const tests::Instruction& i : all_scalar_instructions()) {
    for (int k = 0; k < 300; ++k) {
      std::vector<std::uint64_t> operands;
      std::array<std::uint64_t, 4> four{};
      for (const Slot& slot : slots(info(i.op).form)) {
        if (slot.role != Role::Src) continue;
        const bool untyped = slot.type == SlotType::None;  // an address, a barrier
        const Type type = untyped ? Type::U32 : slot_type(slot.type, i.type, i.type2);
        const std::uint64_t value = type == Type::Pred            ? random.below(2)
                                    : slot.type == SlotType::Byte ? random.below(256)
                                                                  : random_value(random, type);
        four[operands.size()] = value;
        operands.push_back(value);
      }
      std::optional<std::uint64_t> kernel;
      if (i.type != Type::Pred) kernel = tests::evaluate(i, four, tests::Path::Exact);
      if (!kernel && i.mods == Mods{}) kernel = tests::evaluate(i, four, tests::Path::Plain);
      if (!kernel) break;
      rows.insert(i.op);
      ++compared;
      const int width = tests::result_bits(i);
      const std::uint64_t mine = evaluate(i.op, i.type, i.type2, i.mods, operands, 32);
      const std::optional<bool> carry = tests::evaluate_carry(i, four);
      const bool same_carry = !carry || *carry == second_result(i, operands);
      if (low_bits(mine, width) == low_bits(*kernel, width) && same_carry) continue;
      if (++differences[tests::opcode_text(i)] > 1) continue;
      ADD_FAILURE() << describe(i, operands) << ": the reference says " << std::hex << low_bits(mine, width)
                    << ", the kernel " << low_bits(*kernel, width);
    }
  }
  EXPECT_GT(rows.size(), 40U);
  EXPECT_GT(compared, 30'000);
}

}  // namespace
}  // namespace warpsim::reference
