// The machine against the slow reference, on random programs: every buffer and every lane's registers, bit for bit.
//
// Shapes: programs are seeds 1 … N. WARPSIM_FUZZ_COUNT in the environment says how many, WARPSIM_FUZZ_SEED where to
//         begin; 5,000 from 1 if they say nothing, fewer with sanitizers.
// Errors: a difference prints the seed, the first differing value and the program, shrunk.
// Source: tools/fuzz.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "isa/assembly/disassembler.h"
#include "isa/program/expand.h"
#include "sim/check/undefined.h"
#include "tests/support/sanitized.h"
#include "tools/fuzz/differential.h"

namespace warpsim::reference {
namespace random_programs_test {

constexpr std::uint64_t kPrograms = testing::kSanitized ? 1'500 : 2'500;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Reads every event and remembers nothing but how many there were.
class Counting : public EventSink {
 public:
  void on_issue(const IssueEvent&) override { ++issues; }
  std::uint64_t issues = 0;
};

// Which rows ran, and with which types.
struct Coverage {
  std::set<Op> rows;
  std::set<std::pair<Op, Type>> typed;
  std::set<unsigned> lanes;
  std::uint64_t instructions = 0, collectives = 0, several_warps = 0, partial_warps = 0;

  void add(const Prepared& p) {
    lanes.insert(p.source.lanes);
    if (p.source.block.count() > p.source.lanes) ++several_warps;
    if (p.source.block.count() % p.source.lanes != 0) ++partial_warps;
    bool has_collective = false;
    for (std::size_t pc = 0; pc < p.program->code.size(); ++pc) {
      if (p.expected.executed[pc] == 0) continue;
      const Insn& insn = p.program->code[pc];
      rows.insert(insn.op);
      typed.insert({insn.op, insn.type});
      instructions += p.expected.executed[pc];
      const Lift lift = info(insn.op).lift;
      has_collective = has_collective || lift == Lift::Broadcast || lift == Lift::Reduce || lift == Lift::Scan;
    }
    if (has_collective) ++collectives;
  }
};

bool has_collective(const Program& program) {
  for (const Insn& insn : program.code) {
    const Lift lift = info(insn.op).lift;
    if (lift == Lift::Broadcast || lift == Lift::Reduce || lift == Lift::Scan) return true;
  }
  return false;
}

// A register of the pools, which the prologue fills on every lane; the others belong to one stretch of the program.
bool is_always_written(const std::string& name) {
  return name.size() == 3 && name[2] >= '0' && name[2] <= '9' &&
         std::string("abdfhmp").find(name[1]) != std::string::npos;
}

// Nothing that the comparison rests on may be undefined: then both could be right and differ, or wrong and agree.
std::string undefined_value(const Prepared& p, const UndefinedLanes& shadow) {
  const auto threads = static_cast<std::uint32_t>(p.launch.block.count());
  for (std::uint32_t thread = 0; thread < p.expected.registers.size(); ++thread) {
    const std::uint32_t block = thread / threads, in_block = thread % threads;
    for (std::size_t reg = 0; reg < p.program->registers.size(); ++reg) {
      const LaneMask lanes = shadow.undefined(block, in_block / p.launch.lanes, static_cast<std::int32_t>(reg));
      const std::string& name = p.program->registers[reg].name;
      if (is_always_written(name) && has_lane(lanes, in_block % p.launch.lanes)) {
        return "not a valid program: " + name + " is undefined in thread " + std::to_string(thread);
      }
    }
  }
  for (const auto& [name, array] : p.expected.buffers) {
    const auto size = static_cast<std::uint32_t>(array.bits.size()) * static_cast<std::uint32_t>(bytes(array.type));
    if (shadow.undefined_global(p.launch.addresses.find(name)->second, size)) {
      return "not a valid program: " + name + " holds something undefined";
    }
  }
  return "";
}

// The same run with an observer.
std::string watched(const Prepared& prepared, const MachineRun& plain) {
  Counting counting;
  UndefinedLanes shadow;
  EventSink* const sinks[] = {&counting, &shadow};
  const MachineRun run = compare(prepared, *prepared.program, sinks);
  if (!run.difference.empty()) return run.difference;
  if (run.result.cycles != plain.result.cycles || run.result.instructions != plain.result.instructions) {
    return "watching changes the number of cycles or instructions";
  }
  if (counting.issues != plain.result.instructions) return "not every instruction was told";
  return undefined_value(prepared, shadow);
}

TEST(RandomPrograms, MachineAndReferenceAgree) {
  const std::uint64_t first = from_environment("WARPSIM_FUZZ_SEED", 1);
  const std::uint64_t count = from_environment("WARPSIM_FUZZ_COUNT", kPrograms);
  Coverage coverage;
  int failures = 0;
  for (std::uint64_t seed = first; seed < first + count && failures < 5; ++seed) {
    const RandomProgram source = random_program(seed);
    const Prepared prepared = prepare(source);
    std::string wrong = prepared.problem;
    if (wrong.empty() && prepared.expected.trapped) wrong = "not a valid program: " + prepared.expected.why;
    if (wrong.empty()) {
      coverage.add(prepared);
      const MachineRun plain = compare(prepared, *prepared.program);
      wrong = plain.difference;
      if (wrong.empty() && seed % 4 == 0) {
        wrong = watched(prepared, plain);
      }
      if (wrong.empty() && has_collective(*prepared.program)) {
        const Program expanded = expand_collectives(*prepared.program, source.lanes);
        wrong = compare(prepared, expanded).difference;
        if (!wrong.empty()) wrong = "with collectives expanded: " + wrong;
      }
    }
    if (wrong.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << wrong << "\n"
                  << (difference(source).empty() ? source.text() : report(source));
  }
  std::cout << count << " programs, " << coverage.instructions << " lane instructions, " << coverage.typed.size()
            << " pairs of row and type; " << coverage.collectives << " programs with collectives, "
            << coverage.several_warps << " with several warps a block, " << coverage.partial_warps
            << " with a partial warp\n";
  if (count < 5'000) return;  // fewer need not reach every pair of row and type
  for (int k = 0; k < kAssemblyOpCount; ++k) {
    const OpInfo& row = info(static_cast<Op>(k));
    const bool ends_the_run = static_cast<Op>(k) == Op::Trap;
    EXPECT_EQ(coverage.rows.count(static_cast<Op>(k)), ends_the_run ? 0U : 1U) << row.id << " was never executed";
    for (int t = 0; t < kTypeCount; ++t) {
      const Type type = static_cast<Type>(t);
      if (row.types == kNoType || !contains(row.types, type)) continue;
      if (row.lift == Lift::LoadParam) continue;  // the types of the parameters there are
      EXPECT_TRUE(coverage.typed.count({static_cast<Op>(k), type}) == 1 || row.unit == Unit::Shared)
          << row.id << "." << name(type) << " was never executed";
    }
  }
  EXPECT_EQ(coverage.lanes, (std::set<unsigned>{1, 2, 4, 8, 16, 32, 64}));
}

// ---- a wrong kernel must be seen

bool takes_types(const OpInfo& row, const Insn& insn) {
  return contains(row.types, insn.type) &&
         (!has_second_type(row.form) || contains(second_types(row.types), insn.type2));
}

// The rows that one can be mistaken for: the same form, lift and type, and room for the same modifiers.
std::vector<Op> siblings(const Insn& insn) {
  std::vector<Op> found;
  const OpInfo& row = info(insn.op);
  for (int k = 0; k < kAssemblyOpCount; ++k) {
    const OpInfo& other = info(static_cast<Op>(k));
    if (static_cast<Op>(k) == insn.op || other.form != row.form || other.lift != row.lift || other.unit == Unit::Shared)
      continue;
    if (!takes_types(other, insn) || other.mods != row.mods || row.lift == Lift::Branch) continue;
    if (other.kernel == row.kernel) continue;  // fma and mad
    found.push_back(static_cast<Op>(k));
  }
  return found;
}

// The program with one row's meaning exchanged for another's: in one place, or everywhere.
Program exchanged(const Program& program, std::size_t pc, Op by, bool everywhere) {
  Program wrong = program;
  const Op victim = program.code[pc].op;
  for (std::size_t k = 0; k < wrong.code.size(); ++k) {
    const Insn& insn = program.code[k];
    const bool fits = takes_types(info(by), insn);
    if (k == pc || (everywhere && insn.op == victim && fits)) wrong.code[k].op = by;
  }
  return wrong;
}

// What a wrong kernel does: the row has another row's meaning wherever it is used. The reference knows the right one.
// Every pair of rows that could be mistaken for each other is tried until it is seen.
TEST(RandomPrograms, EveryWrongKernelIsSeen) {
  std::map<std::pair<Op, Op>, int> tries;
  std::set<std::pair<Op, Op>> seen;
  for (std::uint64_t seed = 1; seed <= (testing::kSanitized ? 20 : 1000); ++seed) {
    const Prepared prepared = prepare(random_program(seed));
    ASSERT_EQ(prepared.problem, "");
    std::set<Op> done;
    for (std::size_t pc = 0; pc < prepared.program->code.size(); ++pc) {
      const Insn& insn = prepared.program->code[pc];
      if (prepared.expected.executed[pc] == 0 || info(insn.op).kernel == "None" || !done.insert(insn.op).second)
        continue;
      for (const Op other : siblings(insn)) {
        const std::pair<Op, Op> pair(insn.op, other);
        if (seen.count(pair) == 1) continue;
        ++tries[pair];
        if (!compare(prepared, exchanged(*prepared.program, pc, other, true)).difference.empty()) seen.insert(pair);
      }
    }
  }
  if (testing::kSanitized) return;  // so few need not show every pair
  int most = 0, first_time = 0;
  for (const auto& [pair, count] : tries) {
    EXPECT_EQ(seen.count(pair), 1U) << info(pair.first).id << " with the meaning of " << info(pair.second).id
                                    << ": not seen in " << count << " programs that execute it";
    most = std::max(most, count);
    first_time += count == 1 ? 1 : 0;
  }
  std::cout << seen.size() << " of " << tries.size() << " wrong kernels seen, " << first_time
            << " of them by the first program that executes the row, the last after " << most << "\n";
  EXPECT_GT(tries.size(), 200U);
}

// One wrong instruction: the machine must differ from the reference exactly where the mistake reaches a result at all,
// which the reference itself shows by running the wrong program.
TEST(RandomPrograms, AMistakeInOnePlaceIsSeenWhereItMatters) {
  const int programs =
      static_cast<int>(std::min<std::uint64_t>(400, from_environment("WARPSIM_FUZZ_COUNT", kPrograms) / 10));
  int executed = 0, matters = 0, seen = 0;
  Random random(99);
  for (int seed = 1; seed <= programs; ++seed) {
    const Prepared prepared = prepare(random_program(static_cast<std::uint64_t>(seed)));
    ASSERT_EQ(prepared.problem, "");
    const std::size_t length = prepared.program->code.size(), first = random.below(length);
    for (std::size_t k = 0; k < length; ++k) {
      const std::size_t pc = (first + k) % length;
      const Insn& insn = prepared.program->code[pc];
      const std::vector<Op> others = info(insn.op).kernel != "None" ? siblings(insn) : std::vector<Op>{};
      if (prepared.expected.executed[pc] == 0 || others.empty()) continue;
      const Program wrong = exchanged(*prepared.program, pc, random.pick(others), false);
      const Result wrong_result = run(wrong, prepared.launch);
      const bool is_seen = !compare(prepared, wrong).difference.empty();
      const bool is_alive = wrong_result.trapped || wrong_result.buffers != prepared.expected.buffers ||
                            wrong_result.registers != prepared.expected.registers;
      EXPECT_EQ(is_seen, is_alive) << "seed " << seed << ", pc " << pc << ": "
                                   << disassemble(wrong, static_cast<std::int32_t>(pc));
      ++executed;
      matters += is_alive ? 1 : 0;
      seen += is_seen ? 1 : 0;
      break;
    }
  }
  std::cout << executed << " mistakes in an executed instruction, " << matters << " that reach a result, " << seen
            << " seen\n";
  EXPECT_GT(executed * 8, programs * 7);
  EXPECT_GT(matters * 2, executed);
}

// ---- faults

// The program with lines put in before it stores its results.
RandomProgram with_lines(RandomProgram source, const std::vector<std::string>& lines) {
  const std::ptrdiff_t behind = 7;  // six stores and the exit
  source.lines.insert(source.lines.end() - behind, lines.begin(), lines.end());
  return source;
}

// Bad programs trap on both, and where no lane reaches the fault, on neither.
TEST(RandomPrograms, FaultsTrapOnBoth) {
  const std::vector<std::vector<std::string>> faults = {
      {"mov.u32 %t0, 68", "@%p0 ld.global.u32 %a0, in_u32[%t0]"},
      {"mov.u32 %t0, 0", "@!%p1 ld.global.f32 %f0, in_f32[%t0 - 1]"},
      {"mov.u64 %u0, in_u32", "@%p0 ld.global.u32 %a0, [%u0 + 2]"},
      {"mov.u64 %u0, in_f64", "@%p2 ld.global.f64 %d0, [%u0 + 4]"},
      {"mov.u64 %u0, in_u32", "@%p1 st.global.u32 [%u0], %a0"},
      {"mov.u64 %u0, in_u32", "@%p0 ld.global.u32 %a0, [%u0 + 272]"},
      {"mov.u32 %t0, %ntid.x", "mul.lo.u32 %t0, %t0, %ntid.y", "mul.lo.u32 %t0, %t0, %ntid.z",
       "@%p0 ld.shared.u32 %a0, s_u32[%t0]"},
      {"mov.u32 %t0, 65536", "@!%p0 st.shared.u32 [%t0], %a0"},
      {"@%p1 vote.any.pred %p0, %p2, %lanemask_gt"},
      {"bar.sync 1, 64 * WARP_SZ"},
  };
  int trapped = 0, passed = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomProgram source = with_lines(random_program(seed), faults[seed % faults.size()]);
    const Prepared prepared = prepare(source);
    ASSERT_EQ(prepared.problem, "") << source.text();
    const MachineRun machine = compare(prepared, *prepared.program);
    EXPECT_EQ(machine.difference, "") << "seed " << seed << ", the reference: " << prepared.expected.why << "\n"
                                      << source.text();
    (prepared.expected.trapped ? trapped : passed) += 1;
  }
  EXPECT_GT(trapped, 150);
  EXPECT_GT(passed, 5);
}

TEST(RandomPrograms, AFailureIsShrunk) {
  RandomProgram source = random_program(7);
  const std::string wrong = "        add.u32 %a0, %a1";
  source.lines.insert(source.lines.begin() + static_cast<std::ptrdiff_t>(source.lines.size() / 2), wrong);
  const RandomProgram shrunk = shrink(source);
  EXPECT_LE(shrunk.lines.size(), 2U) << shrunk.text();
  EXPECT_FALSE(difference(shrunk).empty());
}

}  // namespace random_programs_test
}  // namespace warpsim::reference
