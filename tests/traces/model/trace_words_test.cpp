// The words of a trace's enumerations, and what instruction records say as data.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/every_program.h"
#include "tests/traces/io/sample_trace.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"
#include "traces/model/instruction_texts.h"
#include "traces/model/trace_words.h"
#include "traces/replay/dataflow.h"

namespace warpsim {
namespace {

// Every word comes back as its member, and every member in `all` has a word of its own.
template <class Kind>
void expect_round_trip(const std::vector<Kind>& all, const std::vector<std::string>& words) {
  ASSERT_EQ(kWordCount<Kind>, all.size());
  ASSERT_EQ(words.size(), all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_EQ(name(all[k]), words[k]);
    EXPECT_EQ(parse_word<Kind>(words[k]), all[k]);
  }
  EXPECT_EQ(parse_word<Kind>(""), std::nullopt);
  EXPECT_EQ(parse_word<Kind>("nowhere"), std::nullopt);
  EXPECT_EQ(parse_word<Kind>(words.front() + " "), std::nullopt);
}

// The words are those of traces/FORMAT.md.
TEST(TraceWords, ComeBackAsTheirMembers) {
  using Space = TraceMemory::Space;
  expect_round_trip<Space>({Space::Global, Space::Shared, Space::Local, Space::Constant, Space::Param},
                           {"global", "shared", "local", "const", "param"});
  expect_round_trip<TraceMemory::Access>(
      {TraceMemory::Access::Load, TraceMemory::Access::Store, TraceMemory::Access::Atomic},
      {"load", "store", "atomic"});
  expect_round_trip<TraceMask::Kind>({TraceMask::Kind::Branch, TraceMask::Kind::Reconverge, TraceMask::Kind::Exit},
                                     {"branch", "reconverge", "exit"});
  expect_round_trip<TraceParam::Kind>(
      {TraceParam::Kind::In, TraceParam::Kind::Out, TraceParam::Kind::InOut, TraceParam::Kind::Scalar},
      {"in", "out", "inout", "param"});
  expect_round_trip<Reconvergence>({Reconvergence::Stack, Reconvergence::Independent}, {"stack", "independent"});
}

TEST(TraceWords, TheReaderRefusesOthersAndListsThem) {
  const std::string document = to_json(testing::sample_trace(8));
  const auto refusal = [&](const std::string& from, const std::string& to) {
    std::string text = document;
    const std::size_t at = text.find(from);
    if (at == std::string::npos) return "no " + from;
    const std::variant<Trace, JsonError> read = read_trace(text.replace(at, from.size(), to));
    const JsonError* error = std::get_if<JsonError>(&read);
    return error == nullptr ? "accepted" : error->code + " " + error->message;
  };
  EXPECT_EQ(refusal(R"("space": "global")", R"("space": "nowhere")"),
            R"(J006 expected "global", "shared", "local", "const" or "param")");
  EXPECT_EQ(refusal(R"("access": "load")", R"("access": "read")"), R"(J006 expected "load", "store" or "atomic")");
  EXPECT_EQ(refusal(R"("kind": "branch")", R"("kind": "jump")"), R"(J006 expected "branch", "reconverge" or "exit")");
  EXPECT_EQ(refusal(R"("kind": "in")", R"("kind": "input")"), R"(J006 expected "in", "out", "inout" or "param")");
  EXPECT_EQ(refusal(R"("reconvergence": "stack")", R"("reconvergence": "heap")"),
            R"(J006 expected "stack" or "independent")");
}

// ---- instruction records

constexpr const char* kGuarded = R"(
.title    "Guarded"
.document "none"
.kernel guarded (out output: u32[W])
        setp.lt.u32     %low, %laneid, 2
        @%low mov.u32   %x, 1
        @!%low mov.u32  %x, 2
        st.global.u32   output[%gtid], %x
        exit
.case test
    block = W
)";

TEST(InstructionTexts, AGuardIsARegisterAndWhetherItIsNegated) {
  const Trace run = testing::text_trace(kGuarded, 4);
  const std::variant<Trace, JsonError> read = read_trace(to_json(run));
  ASSERT_TRUE(std::holds_alternative<Trace>(read));
  for (const TraceHead& head : {run.head, std::get<Trace>(read).head}) {
    ASSERT_GE(head.code.size(), 4U);
    const std::int32_t low = find_register(head, "%low");
    EXPECT_EQ(head.code[0].guard, Guard());
    EXPECT_EQ(head.code[1].guard, (Guard{low, false}));
    EXPECT_EQ(head.code[2].guard, (Guard{low, true}));
    EXPECT_EQ(flow_of(head, 1).guard, "%low");
    EXPECT_FALSE(flow_of(head, 1).negated);
    EXPECT_TRUE(flow_of(head, 2).negated);
    EXPECT_EQ(head.code[3].guard, Guard());
    EXPECT_EQ(head.code[3].operand_registers.back(), std::vector<std::int32_t>{find_register(head, "%x")});
  }
}

// A guard that names no register of the head is none.
TEST(InstructionTexts, AnUnknownRegisterIsNoGuard) {
  TraceHead head;
  head.registers = {{"%p", Type::Pred}};
  for (const char* text : {"@%q exit", "@!%q exit", "@", "@!", "exit", ""}) head.code.push_back({0, 0, text});
  head.code.push_back({0, 0, "@!%p"});
  read_instruction_texts(head);
  for (std::size_t k = 0; k + 1 < head.code.size(); ++k) EXPECT_EQ(head.code[k].guard, Guard()) << head.code[k].text;
  EXPECT_EQ(head.code.back().guard, (Guard{0, true}));
}

// Registers by their places in the head, each once, with every character that a name may have.
TEST(InstructionTexts, AnOperandNamesItsRegisters) {
  TraceHead head;
  head.registers = {{"%a", Type::U32}, {"%a$b.lo", Type::U32}, {"%p", Type::Pred}};
  using Places = std::vector<std::int32_t>;
  EXPECT_EQ(registers_in(head, "[%a + 4]"), Places{0});
  EXPECT_EQ(registers_in(head, "{%a$b.lo, %a, %a}"), (Places{1, 0}));
  EXPECT_EQ(registers_in(head, "!%p"), Places{2});
  EXPECT_EQ(registers_in(head, "%laneid"), Places{});
}

// What is read from the texts is what the program says.
TEST(InstructionTexts, AgreeWithEveryProgram) {
  std::size_t guards = 0, exclusive = 0;
  testing::for_each_program([&](const Lesson& program, const Trace& trace) {
    ASSERT_EQ(program.code.size(), trace.head.code.size());
    for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
      const Insn& insn = program.code[pc];
      const TraceInsn& record = trace.head.code[pc];
      SCOPED_TRACE(record.text);
      EXPECT_EQ(record.row, &info(insn.op));
      EXPECT_EQ(record.shuffle.has_value(), info(insn.op).lift == Lift::Shuffle);
      if (record.shuffle) {
        EXPECT_EQ(*record.shuffle, shuffle_mode(insn.op));
      }
      EXPECT_EQ(record.guard, insn.guard);
      EXPECT_EQ(record.exclusive, insn.mods.exclusive);
      for (std::size_t k = 0; k < insn.operands.size() && k < record.operand_registers.size(); ++k)
        if (insn.operands[k].kind == Operand::Kind::Reg && !record.operands[k].empty()) {
          EXPECT_EQ(record.operand_registers[k], std::vector<std::int32_t>{insn.operands[k].reg});
        }
      guards += insn.guard.reg >= 0 ? 1 : 0;
      exclusive += insn.mods.exclusive ? 1 : 0;
    }
  });
  EXPECT_GT(guards, 100U);
  EXPECT_GT(exclusive, 0U);
}

}  // namespace
}  // namespace warpsim
