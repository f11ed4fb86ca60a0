// Every captured opcode as a program on the machine: what the H200 stored is what the machine must store.
//
// Shapes: one thread a line of the captures, complete warps in several blocks. Each program runs its opcode without a
//         guard (the loops over whole warps), under a guard that holds on some lanes and then on the others (the masked
//         loops), and once for each source with the destination in the same register.
// Source: tests/data/README.md; the operands' registers come from slots(), so a new row needs no line here.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "isa/assembly/lexer.h"
#include "isa/assembly/opcode.h"
#include "isa/text/diagnostic.h"
#include "tests/support/captures.h"
#include "tests/support/run.h"

namespace warpsim::tests {
namespace {

using Words = std::vector<std::uint64_t>;

// A predicate in memory is a word that is 0 or 1.
std::string memory_type(int width) { return width == 1 ? "u32" : "b" + std::to_string(width); }

std::string load(int width, const std::string& reg, const std::string& buffer) {
  if (width != 1) return "ld.global." + memory_type(width) + " " + reg + ", " + buffer + "[%gtid]\n";
  return "ld.global.u32 %word, " + buffer + "[%gtid]\nsetp.ne.u32 " + reg + ", %word, 0\n";
}
std::string store(int width, const std::string& reg, const std::string& buffer) {
  if (width != 1) return "st.global." + memory_type(width) + " " + buffer + "[%gtid], " + reg + "\n";
  return "selp.u32 %word, 1, 0, " + reg + "\nst.global.u32 " + buffer + "[%gtid], %word\n";
}

struct Written {
  std::string text;
  std::vector<std::string> results;   // buffers that must hold the capture's results
  std::vector<std::string> opposite;  // those of a second predicate
  std::vector<std::string> carry;     // those of the carry flag, or of a second predicate that the capture has
};

class Writer {
 public:
  explicit Writer(const CapturedOpcode& opcode)
      : i_(opcode.instruction), constant_(opcode.constant.value_or(0)), result_width_(result_bits(i_)) {
    for (const Slot& slot : slots(info(i_.op).form)) {
      if (is_hidden(slot)) (slot.role == Role::Src ? carry_source_ : carry_out_) = static_cast<int>(sources_.size());
      if (slot.role == Role::Src && has_slot(slot, i_.mods))
        sources_.push_back(slot.type == SlotType::Byte ? kConstant : slot_bits(slot, i_));
      if (slot.role == Role::DstPred && slot.when_absent == Default::Absent) has_second_ = true;
    }
  }

  Written write() {
    for (std::size_t k = 0; k < sources_.size(); ++k) {
      if (sources_[k] != kConstant) body_ += load(sources_[k], "%s" + std::to_string(k), source(k));
    }
    body_ += load(1, "%on", "on") + load(result_width_, "%half", "before");
    if (has_second_) body_ += load(1, "%half_q", "on");
    const std::string second = has_second_ ? "|%full_q" : "", masked_second = has_second_ ? "|%half_q" : "";
    apply("", "%full" + second, {});
    if (carry_out_ >= 0) {  // before any other sum
      body_ += "addc.u32 %carry, 0, 0\nst.global.u32 carry[%gtid], %carry\n";
      outputs_ += ", out carry: u32[n]";
      written_.carry = {"carry"};
    }
    result("%full", "full");
    if (has_second_) opposite("%full_q", "full_q");
    apply("@%on ", "%half" + masked_second, {});
    result("%half", "some_lanes");
    apply("@!%on ", "%half" + masked_second, {});
    result("%half", "other_lanes");
    if (has_second_) opposite("%half_q", "half_q");
    if (has_second_) apply("", "%alone", {}), result("%alone", "alone");
    for (std::size_t k = 0; k < sources_.size(); ++k) {
      if (sources_[k] == result_width_) in_place(k);
    }
    written_.text = ".kernel k (param n: u32, in on: u32[n], in before: " + memory_type(result_width_) + "[n]";
    for (std::size_t k = 0; k < sources_.size(); ++k) {
      if (sources_[k] != kConstant) written_.text += ", in " + source(k) + ": " + memory_type(sources_[k]) + "[n]";
    }
    written_.text += outputs_ + ")\n" + body_ + "exit\n";
    return written_;
  }

  static std::string source(std::size_t k) { return "source" + std::to_string(k); }

 private:
  void apply(const std::string& guard, const std::string& destination, const std::vector<std::string>& instead) {
    if (carry_source_ >= 0) {
      const std::string flag = "%s" + std::to_string(carry_source_);
      body_ += "selp.u32 %sum, 1, 0, " + flag + "\nadd.cc.u32 %sum, %sum, 0xffffffff\n";
    }
    body_ += guard + opcode_text(i_) + " " + destination;
    for (std::size_t k = 0; k < sources_.size(); ++k) {
      if (static_cast<int>(k) == carry_source_) continue;
      if (sources_[k] == kConstant) body_ += ", " + std::to_string(constant_);
      else body_ += ", " + (k < instead.size() && !instead[k].empty() ? instead[k] : "%s" + std::to_string(k));
    }
    body_ += "\n";
  }
  void in_place(std::size_t k) {
    const std::string name = "in_place" + std::to_string(k), reg = "%" + name;
    std::vector<std::string> instead(sources_.size());
    instead[k] = reg;
    body_ += load(sources_[k], reg, source(k));
    apply("", reg, instead);
    result(reg, name);
  }
  void result(const std::string& reg, const std::string& buffer) {
    body_ += store(result_width_, reg, buffer);
    outputs_ += ", out " + buffer + ": " + memory_type(result_width_) + "[n]";
    written_.results.push_back(buffer);
  }
  void opposite(const std::string& reg, const std::string& buffer) {
    body_ += store(1, reg, buffer);
    outputs_ += ", out " + buffer + ": u32[n]";
    const bool captured = i_.mods.boolean != BoolOp::None || is_pair(i_.type);  // it is more than the opposite
    (captured ? written_.carry : written_.opposite).push_back(buffer);
  }

  static constexpr int kConstant = -1;  // instead of a width: no register

  const Instruction& i_;
  std::uint64_t constant_;
  int result_width_;
  bool has_second_ = false;
  int carry_source_ = -1, carry_out_ = -1;
  std::vector<int> sources_;
  std::string body_, outputs_;
  Written written_;
};

std::uint64_t lowest_bits(std::uint64_t x, int width) {
  return width >= 64 ? x : x & ((std::uint64_t{1} << width) - 1);
}

constexpr std::uint32_t kThreads = 128;  // a block

// What every 32 threads execute under the guard: one lane, all but one, every other, halves, anything.
bool is_on(std::size_t thread) {
  constexpr std::array<std::uint32_t, 6> kOn = {0x00000001, 0xfffeffff, 0xaaaaaaaa, 0x0000ffff, 0x80000000, 0x3a6c91f5};
  return (kOn[thread / 32 % kOn.size()] >> thread % 32 & 1) != 0;
}

struct Differences {
  const CapturedOpcode& opcode;
  unsigned lanes;
  int count = 0;

  void expect(const std::string& buffer, std::size_t thread, std::uint64_t got, std::uint64_t expected) {
    if (got == expected || ++count > 3) return;
    const ScalarVector& v = *opcode.lines[thread % opcode.lines.size()];
    char text[200];
    std::snprintf(text, sizeof text, "%llx %llx %llx: expected %llx, got %llx",
                  static_cast<unsigned long long>(v.operands[0]), static_cast<unsigned long long>(v.operands[1]),
                  static_cast<unsigned long long>(v.operands[2]), static_cast<unsigned long long>(expected),
                  static_cast<unsigned long long>(got));
    ADD_FAILURE() << opcode_text(opcode.instruction) << ", " << lanes << " lanes, `" << buffer << "`, thread " << thread
                  << ", line " << v.line << ": " << text;
  }
};

// The lines, again from the first one where they do not fill the last block.
std::size_t compare(const CapturedOpcode& opcode, unsigned lanes) {
  const Written written = Writer(opcode).write();
  const std::size_t blocks = (opcode.lines.size() + kThreads - 1) / kThreads, threads = blocks * kThreads;
  const int width = result_bits(opcode.instruction);
  testing::RunSetup setup;
  setup.lanes = lanes;
  setup.block = {kThreads, 1, 1};
  setup.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
  setup.max_cycles = 10'000'000;
  setup.scalars["n"] = threads;
  for (std::size_t t = 0; t < threads; ++t) {
    const ScalarVector& v = *opcode.lines[t % opcode.lines.size()];
    for (std::size_t k = 0; k < v.operands.size(); ++k) setup.buffers[Writer::source(k)].push_back(v.operands[k]);
    setup.buffers["on"].push_back(is_on(t));
    setup.buffers["before"].push_back(lowest_bits(~v.result, width));  // wrong in every bit
  }
  for (const auto* names : {&written.results, &written.opposite, &written.carry}) {
    for (const std::string& buffer : *names) setup.buffers[buffer].assign(threads, 0);
  }
  const testing::Ran ran = testing::run_text(written.text, setup);
  if (ran.machine == nullptr || !ran.result.ok) {
    ADD_FAILURE() << written.text << ran.error.message;
    return 0;
  }
  Differences differences{opcode, lanes};
  const auto result = [&](std::size_t t) { return lowest_bits(opcode.lines[t % opcode.lines.size()]->result, width); };
  for (const std::string& buffer : written.results) {
    const Words got = ran.buffer(buffer);
    const bool only_some = buffer == "some_lanes";  // the others keep what they had
    for (std::size_t t = 0; t < threads; ++t)
      differences.expect(buffer, t, got[t], only_some && !is_on(t) ? lowest_bits(~result(t), width) : result(t));
  }
  for (const std::string& buffer : written.carry) {
    const Words got = ran.buffer(buffer);
    for (std::size_t t = 0; t < threads; ++t) {
      const ScalarVector& v = *opcode.lines[t % opcode.lines.size()];
      if (v.carry) differences.expect(buffer, t, got[t], *v.carry);
    }
  }
  for (const std::string& buffer : written.opposite) {
    const Words got = ran.buffer(buffer);
    for (std::size_t t = 0; t < threads; ++t) differences.expect(buffer, t, got[t], result(t) ^ 1);
  }
  return threads;
}

TEST(MachineVectors, EveryCapturedOpcodeOnWholeAndPartialWarps) {
  ASSERT_GT(captured_opcodes().size(), 680U) << "cannot read the captures in tests/data";
  for (const unsigned lanes : {32U, 64U}) {
    std::size_t compared = 0;
    for (const auto& [text, opcode] : captured_opcodes()) compared += compare(opcode, lanes);
    EXPECT_GT(compared, 100'000U);
  }
}

// "sreg tid=32 lanemask eq … le … lt … ge … gt … laneid 0 …": threads of one block; what follows is the GPU's own.
TEST(MachineVectors, LaneNumbersAndMasks) {
  const testing::Ran ran = testing::run_text(R"(.kernel k (out r: u32[384])
    mul.lo.u32 %at, %tid.x, 6
    st.global.b32 r[%at], %lanemask_eq
    st.global.b32 r[%at + 1], %lanemask_le
    st.global.b32 r[%at + 2], %lanemask_lt
    st.global.b32 r[%at + 3], %lanemask_ge
    st.global.b32 r[%at + 4], %lanemask_gt
    st.global.u32 r[%at + 5], %laneid
    exit
)",
                                             {.block = {64, 1, 1}, .buffers = {{"r", Words(384)}}});
  ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << english(ran.result.trap.message);
  const Words results = ran.buffer("r");
  std::istringstream text(read_xz(data_path("h200_semantics.txt.xz")).value_or(""));
  int lines = 0;
  for (std::string line; std::getline(text, line);) {
    unsigned tid = 0, eq = 0, le = 0, lt = 0, ge = 0, gt = 0, lane = 0;
    if (std::sscanf(line.c_str(), "sreg tid=%u lanemask eq %x le %x lt %x ge %x gt %x laneid %u", &tid, &eq, &le, &lt,
                    &ge, &gt, &lane) != 7)
      continue;
    ++lines;
    const Words expected = {eq, le, lt, ge, gt, lane};
    EXPECT_EQ(Words(results.begin() + 6 * tid, results.begin() + 6 * tid + 6), expected) << line;
  }
  EXPECT_EQ(lines, 5);
}

// The assembler and the driver's compiler must agree on what an instruction is. These are the table's own spelling of
// .b16 and .b32.
bool is_ours_alone(const std::string& opcode) {
  const std::string first = opcode.substr(0, opcode.find('.'));
  const bool moves = first == "mov" || first == "selp" || first == "ld" || first == "st";
  return moves && contains(kHalfFloat | kPair, parse_type(std::string_view(opcode).substr(opcode.rfind('.') + 1)));
}

std::optional<Opcode> assembled(const std::string& opcode) {
  Diagnostics complaints;
  Token word;
  word.kind = Token::Kind::Word;
  word.text = opcode;
  return select_opcode(word, complaints);
}

TEST(MachineVectors, WhatTheDriversCompilerRefusesIsRefusedHereToo) {
  ASSERT_GT(refused_opcodes().size(), 30U);
  for (const std::string& opcode : refused_opcodes()) {
    EXPECT_EQ(assembled(opcode).has_value(), is_ours_alone(opcode)) << opcode;
  }
}

// Rows, types and modifiers in every combination; masks are b32 or b64 when a program is bound.
TEST(MachineVectors, WhatTheAssemblerAcceptsWasCaptured) {
  int accepted = 0;
  std::string missing;
  const auto check = [&](const Instruction& i) {
    const std::string text = opcode_text(i);
    const std::optional<Opcode> opcode = assembled(text);
    if (!opcode || opcode->op != i.op || opcode->type != i.type) return;  // a row of one type takes it for granted
    ++accepted;
    if (is_ours_alone(text)) return;
    const auto captured = captured_opcodes().lower_bound(text);  // perhaps followed by a constant
    if (captured == captured_opcodes().end() || captured->first.substr(0, captured->first.find(' ')) != text)
      missing += text + "\n";
  };
  for (int op = 0; op < kAssemblyOpCount; ++op) {
    const OpInfo& row = info(static_cast<Op>(op));
    if (!is_lanewise(row.lift)) continue;
    for (int type = 0; type < kTypeCount * kTypeCount; ++type) {
      Instruction i{
          static_cast<Op>(op), static_cast<Type>(type / kTypeCount), static_cast<Type>(type % kTypeCount), {}};
      if (i.type == Type::Mask || (i.type2 != Type::None) != has_second_type(row.form)) continue;
      for (const Mods& mods : modifiers_of(row)) {
        i.mods = mods;
        // The BoolOps are captured for setp without .ftz: set's are the same.
        if (mods.boolean != BoolOp::None && (row.form != Form::PAB || mods.ftz)) continue;
        check(i);
      }
    }
  }
  EXPECT_GT(accepted, 680);
  EXPECT_EQ(missing, "") << "measure them: tests/data/README.md";
}

}  // namespace
}  // namespace warpsim::tests
