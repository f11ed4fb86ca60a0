// The machine against the slow reference, on random programs: every buffer and every lane's registers, bit for bit.
//
// Shapes: programs are seeds 1 … N; WARPSIM_FUZZ_COUNT in the environment says how many (default 10,000),
// WARPSIM_FUZZ_SEED
//         says where to begin.
// Errors: a difference prints the seed, the first differing value and the program, shrunk.
// Source: tests/reference.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "isa/assembler.h"
#include "tests/reference/differential.h"

namespace warpsim::reference {
namespace {

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

TEST(RandomPrograms, MachineAndReferenceAgree) {
  const std::uint64_t first = from_environment("WARPSIM_FUZZ_SEED", 1);
  const std::uint64_t count = from_environment("WARPSIM_FUZZ_COUNT", 10'000);
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
        Counting sink;
        const MachineRun watched = compare(prepared, *prepared.program, &sink);
        wrong = watched.difference;
        if (watched.result.cycles != plain.result.cycles || watched.result.instructions != plain.result.instructions ||
            sink.issues != plain.result.instructions) {
          wrong = "watching changes the number of cycles or instructions";
        }
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
  if (count < 2000) return;
  for (int k = 0; k < kOpCount; ++k) {
    const OpInfo& row = info(static_cast<Op>(k));
    EXPECT_TRUE(coverage.rows.count(static_cast<Op>(k)) == 1) << row.id << " was never executed";
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

// The rows that one can be mistaken for: the same form, lift and type, and room for the same modifiers.
std::vector<Op> siblings(const Insn& insn) {
  std::vector<Op> found;
  const OpInfo& row = info(insn.op);
  for (int k = 0; k < kOpCount; ++k) {
    const OpInfo& other = info(static_cast<Op>(k));
    if (static_cast<Op>(k) == insn.op || other.form != row.form || other.lift != row.lift || other.unit == Unit::Shared)
      continue;
    if (!contains(other.types, insn.type) || other.mods != row.mods || row.lift == Lift::Branch) continue;
    if (other.kernel == row.kernel) continue;  // fma and mad
    found.push_back(static_cast<Op>(k));
  }
  return found;
}

bool has_kernel(const Insn& insn) { return info(insn.op).kernel != "None"; }

// Every row of the table in turn is given another row's meaning, in all its occurrences in a program: the mistake that
// a wrong kernel is. The reference knows the right meaning.
TEST(RandomPrograms, AWrongKernelIsSeen) {
  struct Score {
    int tried = 0, seen = 0;
  };
  std::map<Op, Score> scores;
  Score all;
  Random random(99);
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const Prepared prepared = prepare(random_program(seed));
    ASSERT_EQ(prepared.problem, "");
    const std::size_t at = random.below(prepared.program->code.size());
    for (std::size_t k = 0; k < prepared.program->code.size(); ++k) {
      const std::size_t pc = (at + k) % prepared.program->code.size();
      const Insn& victim = prepared.program->code[pc];
      const std::vector<Op> others = has_kernel(victim) ? siblings(victim) : std::vector<Op>{};
      if (prepared.expected.executed[pc] == 0 || others.empty()) continue;
      Program wrong = *prepared.program;
      wrong.code[pc].op = random.pick(others);
      const bool seen = !compare(prepared, wrong).difference.empty();
      Score& score = scores[victim.op];
      for (Score* s : {&score, &all}) {
        ++s->tried;
        s->seen += seen ? 1 : 0;
      }
      break;
    }
  }
  for (const auto& [op, score] : scores) {
    EXPECT_TRUE(score.tried < 5 || score.seen > 0)
        << info(op).id << ": " << score.tried << " planted mistakes, none seen";
  }
  std::cout << all.seen << " of " << all.tried << " planted mistakes seen\n";
  EXPECT_GT(all.tried, 1000);
  EXPECT_GT(all.seen * 100, all.tried * 80);
}

}  // namespace
}  // namespace warpsim::reference
