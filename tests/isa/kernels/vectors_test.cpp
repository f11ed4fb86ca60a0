// The kernels and the shuffle network against what a real H200 gave, bit for bit.
//
// Shapes: tests/data holds two captures; every line whose opcode is a row of the table is compared. What no row covers
//         is printed; which rows no line covers, and why, is in tests/data/rows_without_vectors.txt.
// Errors: a difference names the line of the capture, the operands and both results.
// Source: tests/data/README.md.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <string>

#include "sim/code/shuffle_network.h"
#include "tests/support/captures.h"
#include "tests/support/scalar_eval.h"
#include "tests/support/vectors.h"

namespace warpsim::tests {
namespace {

std::string hex_text(std::uint64_t x) {
  char text[20];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(x));
  return text;
}
std::uint64_t low_bits(std::uint64_t x, int width) { return width >= 64 ? x : x & ((std::uint64_t{1} << width) - 1); }

const VectorOps& vector_ops() {
  static const VectorOps kOps = parse_vector_ops(read_file(data_path("vector_ops.txt")).value_or(""));
  return kOps;
}
// The first capture: prefixes. The second, if it is there: opcodes.
const Vectors& semantics() {
  static const Vectors kVectors =
      parse_semantics(read_xz(data_path("h200_semantics.txt.xz")).value_or(""), vector_ops());
  return kVectors;
}
const Vectors& rows() {
  static const Vectors kVectors = parse_rows(read_xz(data_path("h200_rows.txt.xz")).value_or(""));
  return kVectors;
}

// The opcode that a line's name means.
std::string opcode_of(const std::string& name) {
  const auto op = vector_ops().find(name);
  return op == vector_ops().end() ? name : op->second.opcode;
}

bool is_default(Mods m) {
  m.round = m.round == Round::Rn ? Round::None : m.round;
  return m == Mods{};
}

std::string describe(const Instruction& i, const ScalarVector& v, std::uint64_t got, const char* path) {
  std::string text = "line " + std::to_string(v.line) + ": " + opcode_text(i);
  for (int k = 0; k < v.operand_count; ++k) text += " " + hex_text(v.operands[static_cast<std::size_t>(k)]);
  return text + ": the H200 gave " + hex_text(v.result) + ", the " + path + " kernel " + hex_text(got);
}

// Compares every line that a row covers; returns how many.
int compare_scalars(const Vectors& vectors) {
  std::map<const std::string*, std::optional<Instruction>> instructions;
  std::map<std::string, int> differences;
  int compared = 0, lines = 0;
  for (const ScalarVector& v : vectors.scalars) {
    auto known = instructions.find(v.name);
    if (known == instructions.end()) known = instructions.emplace(v.name, parse_opcode(opcode_of(*v.name))).first;
    if (!known->second || !is_lanewise(info(known->second->op).lift)) continue;
    const Instruction& i = *known->second;
    const int width = result_bits(i);
    ++lines;
    for (const Path path : {Path::Plain, Path::Exact}) {
      if (path == Path::Plain && !is_default(i.mods)) continue;
      const std::optional<std::uint64_t> got = evaluate(i, v.operands, path);
      if (!got) continue;
      ++compared;
      const bool same_carry = !v.carry || evaluate_carry(i, v.operands) == (*v.carry != 0);
      if (low_bits(*got, width) == low_bits(v.result, width) && same_carry) continue;
      if (++differences[opcode_text(i)] <= 5)
        ADD_FAILURE() << describe(i, v, low_bits(*got, width), path == Path::Plain ? "plain" : "exact");
    }
  }
  for (const auto& [opcode, count] : differences) std::cout << opcode << ": " << count << " differences\n";
  std::cout << lines << " operand tuples compared with the H200's results\n";
  return compared;
}

TEST(Vectors, TheCapturesAreReadCompletely) {
  ASSERT_FALSE(semantics().scalars.empty()) << "cannot read tests/data/h200_semantics.txt.xz";
  for (const Vectors* v : {&semantics(), &rows()}) {
    for (const std::string& problem : v->problems) ADD_FAILURE() << problem;
  }
  EXPECT_EQ(vector_ops().size(), 265U);
  EXPECT_EQ(semantics().shuffles.size(), 4 * 6 * 111 + 600 + 200 + 4 * 60 + 4 * 48U);
  EXPECT_EQ(semantics().warps.size(), (6 + 6 + 9) * 24U);
  EXPECT_EQ(semantics().half_tables.size(), 2U);
}

TEST(Vectors, KernelsGiveTheBitsOfTheFirstCapture) { EXPECT_GT(compare_scalars(semantics()), 50'000); }

TEST(Vectors, KernelsGiveTheBitsOfTheSecondCapture) {
  if (rows().scalars.empty()) GTEST_SKIP() << "tests/data/h200_rows.txt.xz is not there";
  EXPECT_GT(compare_scalars(rows()), 50'000);
}

// Every half through every instruction with one operand of 16 bits, or both halves of a pair.
int compare_half_tables(const Vectors& vectors) {
  int compared = 0;
  for (const HalfTable& table : vectors.half_tables) {
    const std::optional<Instruction> i = parse_opcode(table.opcode);
    if (!i) continue;
    ++compared;
    const bool pair = is_pair(i->type2 == Type::None ? i->type : i->type2);
    std::uint64_t hash = 1469598103934665603U;  // FNV-1a
    for (std::uint32_t half = 0; half < 65536; ++half) {
      const std::uint64_t operand = pair ? half | ((half * 40503U + 12345U) & 0xffffU) << 16 : half;
      const std::uint64_t got = low_bits(evaluate(*i, {operand, 0, 0, 0}, Path::Exact).value_or(0), result_bits(*i));
      for (int byte = 0; byte < 4; ++byte) hash = (hash ^ (got >> (8 * byte) & 0xff)) * 1099511628211U;
      const auto sample = table.samples.find(half);
      if (sample != table.samples.end()) {
        EXPECT_EQ(got, sample->second) << hex_text(half);
      }
    }
    EXPECT_EQ(hash, table.hash) << table.opcode;
  }
  return compared;
}

TEST(Vectors, EveryHalf) {
  EXPECT_EQ(compare_half_tables(semantics()), 2);  // cvt.f32.f16, cvt.f32.bf16
  std::cout << compare_half_tables(rows()) << " opcodes compared for every half\n";
}

ShuffleMode mode_of(const std::string& text) {
  return text == "idx"    ? ShuffleMode::Idx
         : text == "up"   ? ShuffleMode::Up
         : text == "down" ? ShuffleMode::Down
                          : ShuffleMode::Bfly;
}

// Each lane's value where a source is defined; the in-range predicates wherever they were captured. A source that is in
// range but exited or absent is undefined; this H200 gave 0.
TEST(Vectors, TheShuffleNetwork) {
  int defined = 0, undefined = 0;
  for (const ShuffleVector& v : semantics().shuffles) {
    const ShuffleMode mode = mode_of(v.mode);
    std::uint32_t in_range = 0;
    for (unsigned lane = 0; lane < kVectorLanes; ++lane) {
      if (!v.value[lane]) continue;
      const std::uint32_t c =
          v.width != 0 ? shuffle_clamp(mode, static_cast<unsigned>(v.width), kVectorLanes) : v.c[lane];
      const ShuffleSource source = shuffle_source(mode, lane, v.b[lane], c, lane_index_mask(kVectorLanes));
      in_range |= static_cast<std::uint32_t>(source.in_range) << lane;
      const bool has_value = (v.executing >> source.lane & 1) != 0;
      ++(has_value ? defined : undefined);
      if (has_value) {
        EXPECT_EQ(*v.value[lane], 0x100 + source.lane) << "line " << v.line << ", lane " << lane;
      } else if (!v.in_range) {
        EXPECT_EQ(*v.value[lane], 0U) << "line " << v.line << ", lane " << lane << ": exited or absent";
      }
    }
    if (v.in_range) {
      EXPECT_EQ(hex_text(in_range), hex_text(*v.in_range)) << "line " << v.line;
    }
  }
  EXPECT_GT(defined, 100'000);
  EXPECT_GT(undefined, 1'000);
}

TEST(Vectors, Atomics) {
  std::map<std::string, int> compared;
  for (const Vectors* vectors : {&semantics(), &rows()}) {
    for (const AtomicVector& v : vectors->atomics) {
      const std::optional<Instruction> i = parse_opcode(v.opcode);
      ASSERT_TRUE(i) << v.opcode;
      ++compared[v.opcode];
      EXPECT_EQ(hex_text(evaluate_atomic(*i, v.old, v.b, v.c).value_or(~v.left)), hex_text(v.left))
          << "line " << v.line << ": " << v.opcode << " of " << hex_text(v.old) << " and " << hex_text(v.b);
    }
  }
  int all = 0;
  for (const auto& [opcode, lines] : compared) all += lines;
  std::cout << all << " atomics compared with what the H200 left in memory\n";
  EXPECT_GE(compared["atom.global.add.f64"], 400);
  EXPECT_GE(compared["atom.shared.add.f32"], 985);
}

// What a vote gives to each member lane; nullopt for what is no vote of the table.
std::optional<std::uint64_t> vote(const std::string& name, std::uint64_t predicates, std::uint64_t members) {
  if (name == "vote.ballot(!p)") return vote("vote.ballot", ~predicates, members);
  const std::optional<Instruction> i = parse_opcode(name + (name == "vote.ballot" ? ".b32" : ".pred"));
  return i ? evaluate_vote(i->op, predicates, members) : std::nullopt;
}

// redux.sync over the member lanes; and so is `reduce`, where it has the type.
std::optional<std::uint64_t> reduce(const WarpVector& v) {
  if (v.name.substr(0, 6) != "redux.") return std::nullopt;
  const std::optional<Instruction> i = parse_opcode(v.name);
  if (!i || !parse_opcode("reduce." + v.name.substr(6))) {
    ADD_FAILURE() << v.name << " is not in the table";
    return std::nullopt;
  }
  std::optional<std::uint64_t> sum;
  for (unsigned lane = 0; lane < kVectorLanes; ++lane) {
    if ((v.members >> lane & 1) == 0) continue;
    sum = sum ? evaluate(*i, {*sum, v.values[lane], 0, 0}, Path::Plain) : v.values[lane];
  }
  return sum;
}

// "match.any.b32", "match.all.b64.pred": what it gives to that lane. The 64-bit values were made of the 32-bit ones.
std::optional<std::uint64_t> match(const WarpVector& v, unsigned lane) {
  if (v.name.substr(0, 6) != "match.") return std::nullopt;
  const bool of_predicate = v.name.ends_with(".pred");
  const std::optional<Instruction> i = parse_opcode(of_predicate ? v.name.substr(0, v.name.size() - 5) : v.name);
  if (!i) return std::nullopt;
  const auto value = [&](unsigned l) {
    const std::uint64_t low = v.values[l];
    return i->type == Type::B64 ? low << 32 | (low & 1) : low;
  };
  std::uint64_t same = 0;
  for (unsigned other = 0; other < kVectorLanes; ++other) {
    if ((v.members >> other & 1) != 0 && value(other) == value(lane)) same |= std::uint64_t{1} << other;
  }
  const std::uint64_t lanes = evaluate_vote(i->op, same, v.members).value_or(0);
  return of_predicate ? (lanes != 0 ? 1 : 0) : lanes;
}

TEST(Vectors, VotesMatchesAndReductions) {
  std::map<std::string, int> compared;
  for (const WarpVector& v : semantics().warps) {
    std::optional<std::uint64_t> expected = vote(v.name, v.predicates, v.members);
    if (!expected) expected = reduce(v);
    if (!expected && !match(v, 0)) continue;
    ++compared[v.name];
    for (unsigned lane = 0; lane < kVectorLanes; ++lane) {
      if (!v.result[lane]) continue;
      EXPECT_EQ(*v.result[lane], expected ? *expected : *match(v, lane))
          << "line " << v.line << ": " << v.name << ", lane " << lane;
    }
  }
  EXPECT_EQ(compared.size(), 5U + 9U + 6U);  // all, any, uni, ballot, ballot(!p); nine redux; match
}

// ---- what is covered

// Row and type(s), without modifiers.
std::string row_and_types(Instruction i) {
  i.mods = {};
  return opcode_text(i);
}

std::set<std::string> covered_rows() {
  std::set<std::string> covered;
  const auto cover = [&covered](const std::string& opcode) {
    if (const std::optional<Instruction> i = parse_opcode(opcode)) covered.insert(row_and_types(*i));
  };
  for (const Vectors* v : {&semantics(), &rows()}) {
    for (const ScalarVector& s : v->scalars) cover(opcode_of(*s.name));
    for (const HalfTable& t : v->half_tables) cover(t.opcode);
    for (const ShuffleVector& s : v->shuffles) cover("shfl." + s.mode + ".b32");
    for (const WarpVector& w : v->warps) {
      if (w.name.substr(0, 6) == "redux.") cover("reduce." + w.name.substr(6));
      if (w.name.substr(0, 6) == "redux." || w.name.substr(0, 6) == "match.") cover(w.name);
      else if (w.name == "vote.activemask") cover("activemask.b32");
      else cover(w.name + (w.name == "vote.ballot" ? ".b32" : ".pred"));
    }
    for (const AtomicVector& a : v->atomics) cover(a.opcode);
    for (const auto& [opcode, lines] : v->moves) covered.insert(opcode);
  }
  return covered;
}

// Why there is nothing on the hardware to measure; empty if there is.
std::string why_none(const Instruction& i) {
  switch (info(i.op).lift) {
    case Lift::Shuffle:
      return bits(i.type) == 32
                 ? ""
                 : "A shuffle of 16 bits is one of 32 bits, one of 64 bits is two: tests/programs/shuffle_test.cpp.";
    case Lift::Broadcast:
    case Lift::Reduce:
    case Lift::Scan:
      return "No hardware has it in one step: tests/sim/machine/expand_test.cpp holds it to the shuffles that it "
             "expands into.";
    case Lift::Mbarrier: return "PTX leaves the bits of the word open: tests/sim/machine/mbarrier_test.cpp.";
    case Lift::Copy:
      return "It is in PTX alone, not in the captures: tests/sim/machine/copy_test.cpp and random programs.";
    case Lift::LoadParam: return "Its result is what the launch was given.";
    case Lift::Branch:
    case Lift::Call:
    case Lift::Return:
    case Lift::Dispatch:
    case Lift::Barrier:
    case Lift::Nothing: return "It has no result: it says who runs on, waits, or orders memory.";
    case Lift::Special:
      if (info(i.op).form == Form::None) return "It has no result: it says who runs on, waits, or orders memory.";
      return "";
    case Lift::Lane:
    case Lift::Load:
    case Lift::Store:
      if (contains(kHalfFloat | kPair, i.type)) return "The table's own name: PTX writes .b16 and .b32.";
      return "";
    default: return "";
  }
}

// As the captures name it: the movs with braces have names of their own.
std::string measured_name(const Instruction& i) {
  std::string text = opcode_text(i);
  switch (info(i.op).form) {
    case Form::Pack2: return text.insert(3, ".pack2");
    case Form::Pack4: return text.insert(3, ".pack4");
    case Form::Unpack2: return text.insert(3, ".unpack2");
    case Form::Unpack4: return text.insert(3, ".unpack4");
    default: return text;
  }
}

// Every row × type without a line in the captures. Masks are b32 or b64 when a program is bound, so they are not asked
// for.
std::map<std::string, std::string> rows_without_vectors() {
  const std::set<std::string> covered = covered_rows();
  std::map<std::string, std::string> missing;  // by reason
  for (int op = 0; op < kAssemblyOpCount; ++op) {
    const OpInfo& row = info(static_cast<Op>(op));
    if (row.types == kNoType) {
      const Instruction i{static_cast<Op>(op), Type::None, Type::None, {}};
      if (covered.count(measured_name(i)) == 0) missing[why_none(i)] += opcode_text(i) + "\n";
      continue;
    }
    for (int t = 0; t < kTypeCount; ++t) {
      for (int t2 = 0; t2 < kTypeCount; ++t2) {
        Instruction i{static_cast<Op>(op), static_cast<Type>(t), static_cast<Type>(t2), {}};
        const bool converts = has_second_type(row.form);
        if (i.type == Type::Mask || !contains(row.types, i.type)) continue;
        if (converts && !takes_types(row, i.type, i.type2)) continue;
        if (converts ? !contains(second_types(row.types), i.type2) : i.type2 != Type::None) continue;
        if (covered.count(measured_name(i)) == 0) missing[why_none(i)] += opcode_text(i) + "\n";
      }
    }
  }
  return missing;
}

TEST(Vectors, EveryRowWasMeasuredOrHasAReason) {
  std::map<std::string, std::string> missing = rows_without_vectors();
  EXPECT_EQ(missing[""], "") << "measure them: tests/data/README.md";
  missing.erase("");
  std::string now =
      "// Rows and types of the instruction table that no line of the captures covers, by the reason why there is "
      "none;\n"
      "// written by Vectors.EveryRowWasMeasuredOrHasAReason when WARPSIM_REBASE is set.\n";
  for (const auto& [reason, opcodes] : missing) now += "\n// " + reason + "\n" + opcodes;
  std::cout << now;
  const std::string path = data_path("rows_without_vectors.txt");
  if (std::getenv("WARPSIM_REBASE") != nullptr) std::ofstream(path, std::ios::binary) << now;
  EXPECT_EQ(read_file(path).value_or(""), now) << "WARPSIM_REBASE=1 writes it anew; read the difference";
}

// What the captures hold beyond the table: none but the first one's own words.
TEST(Vectors, EveryCapturedOpcodeIsARow) {
  std::set<std::string> without;
  for (const Vectors* v : {&semantics(), &rows()}) {
    for (const auto& [name, lines] : v->names) {
      const bool warp_wide = vote(name, 0, 1).has_value() || name.substr(0, 4) == "shfl" ||
                             name.substr(0, 5) == "redux" || name.substr(0, 5) == "match";
      const bool moves = v->moves.count(name) != 0;  // each one is compared, so it is a row
      if (!warp_wide && !moves && !parse_opcode(opcode_of(name))) without.insert(name);
    }
  }
  const std::set<std::string> words = {"activemask", "addr", "atom",           "atom.add.f64",
                                       "carry",      "sreg", "vote.activemask"};
  EXPECT_EQ(without, words);
}

}  // namespace
}  // namespace warpsim::tests
