// Every row of the table, in every type and with every set of modifiers and operands, through the assembler and back.
//
// Shapes: the instructions are made from all_ops() and slots() alone, so a new row is tested the minute it exists.
// Source: the rounding that cvt needs is PTX ISA 9.0, table in section 9.7.9.21, written here a second time as cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "isa/assembler.h"
#include "isa/op.h"
#include "isa/opcode_errors.h"
#include "isa/special.h"
#include "tests/isa/program_equality.h"

namespace warpsim {
namespace {

std::vector<Type> members(TypeSet set) {
  std::vector<Type> types;
  for (int t = 0; t < kTypeCount; ++t) {
    if (contains(set, static_cast<Type>(t))) types.push_back(static_cast<Type>(t));
  }
  return types;
}

// A register of each class that the prologue has written, and one to write.
std::string register_for(Type type, bool written) {
  const std::string letter = type == Type::Pred   ? "p"
                             : type == Type::Mask ? "m"
                             : bits(type) == 64   ? "d"
                             : bits(type) == 32   ? "r"
                                                  : "h";
  return "%" + letter + (written ? "0" : "1");
}

constexpr const char* kHead =
    ".kernel k (in input: f32[n], out output: f32[n], inout wide: f64[n], inout half: f16[n], inout byte: u8[n], param "
    "n: u32 = WARP_SZ, "
    "param f: f32 = 1.0)\n"
    ".shared f32 tile32[64]\n.shared f64 tile64[64]\n.shared b16 tile16[64]\n.shared b8 tile8[64]\n"
    "mov.b16 %h0, 1\nmov.u32 %r0, 2\nmov.u64 %d0, input\nsetp.eq.u32 %p0, 0, 0\nactivemask.mask %m0\nmov.u32 %a0, "
    "tile32\nadd.cc.u32 %r0, %r0, 0\n"
    "here:\n";
constexpr std::size_t kPrologue = 7;

// What may stand in a slot; "" stands for leaving it out.
std::vector<std::string> choices(const OpInfo& row, const Slot& slot, Type t, Type t2) {
  const Type type = slot_type(slot.type, t, t2);
  if (slot.role == Role::Dst) return {register_for(type, false)};
  if (is_hidden(slot)) return {""};
  if (slot.role == Role::DstPred)
    return slot.when_absent == Default::Required ? std::vector<std::string>{"%p1"}
                                                 : std::vector<std::string>{"", "|%p2"};
  if (slot.role == Role::Label) return {"here"};
  if (slot.role == Role::Addr) {
    const std::string size = bits(t) == 64 ? "64" : bits(t) == 32 ? "32" : bits(t) == 16 ? "16" : "8";
    if (row.lift == Lift::LoadParam) return {bits(t) == 64 ? "[input]" : bits(t) == 32 ? "[n]" : ""};
    if (row.unit == Unit::Shared)
      return {"tile" + size + "[%r0]",
              "tile" + size + "[%laneid + 3]",
              "[%a0 - 8]",
              "[tile" + size + " + 8]",
              "[tile" + size + "]",
              "[16]"};
    const std::string buffer = bits(t) == 64 ? "wide" : bits(t) == 32 ? "output" : bits(t) == 16 ? "half" : "byte";
    return {buffer + "[%gtid]",
            buffer + "[%r0 + 1]",
            buffer + "[%r0 - 1]",
            buffer + "[%r0 + (WARP_SZ << 1)]",
            buffer + "[%r0 + -WARP_SZ / 2 + 1]",
            buffer + "[%d0]",
            buffer + "[3]",
            buffer + "[WARP_SZ - 1]",
            "[%d0]",
            "[%d0 + 8]",
            "[%d0 - 8]"};
  }
  if (slot.type == SlotType::Byte) return {"0", "150", "240 & 204", "WARP_SZ"};
  if (slot.name == "barrier")
    return slot.when_absent == Default::Required ? std::vector<std::string>{"%r0", "0", "15"}
                                                 : std::vector<std::string>{"%r0", "", "0", "15"};
  std::vector<std::string> texts = {register_for(type, true)};
  if (slot.when_absent != Default::Required) texts.push_back("");
  if (slot.type == SlotType::Pred) texts.push_back("!%p0");
  else if (type == Type::Pred) return texts;
  else if (is_float(element(type)))
    texts.insert(texts.end(), {"1.5", "-0.0", element(type) == Type::F16 ? "65504.0" : "1e+30", "inf", "-nan"});
  else texts.insert(texts.end(), {"7", "-1", "WARP_SZ / 2 - 1"});
  if (type == Type::F32) texts.insert(texts.end(), {"0f3F800000", "f"});
  if (type == Type::F64) texts.push_back("0d3FF0000000000000");
  if (type == Type::U32 || type == Type::S32) texts.insert(texts.end(), {"%laneid", "n", "tile32"});
  if (type == Type::U64 || type == Type::B64) texts.push_back("wide");
  if (type == Type::Mask) texts.insert(texts.end(), {"%lanemask_lt", "4294967295"});
  if (slot.when_absent == Default::FullWidth) texts.push_back("width=8");
  return texts;
}

// The operands of a row, each slot going through its choices while the others keep their first.
std::vector<std::vector<std::string>> operand_lists(const OpInfo& row, Type t, Type t2) {
  std::vector<std::vector<std::string>> options;
  for (const Slot& slot : slots(row.form)) options.push_back(choices(row, slot, t, t2));
  std::vector<std::string> first;
  for (const std::vector<std::string>& o : options) first.push_back(o[0]);
  std::vector<std::vector<std::string>> lists = {first};
  for (std::size_t k = 0; k < options.size(); ++k) {
    for (std::size_t i = 1; i < options[k].size(); ++i) {
      lists.push_back(first);
      lists.back()[k] = options[k][i];
    }
  }
  return lists;
}

// "" where the list cannot be written: an operand left out with another after it that has no name.
std::string operand_text(const OpInfo& row, const std::vector<std::string>& list) {
  const auto form = slots(row.form);
  std::string text;
  bool gap = false;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (is_hidden(form[k])) continue;
    const bool second = is_second_destination(form[k]);
    if (second) {
      text += list[k];
    } else if (list[k].empty()) {
      gap = true;
    } else {
      const bool has_name = form[k].when_absent == Default::FullMask && row.form != Form::Warp;
      if (gap && form[k].when_absent != Default::FullMask && form[k].when_absent != Default::Required) return "-";
      std::string word = std::string(gap && has_name ? "mask=" : "") + list[k];
      if (form[k].in_braces && (k == 0 || !form[k - 1].in_braces)) word = "{" + word;
      if (form[k].in_braces && (k + 1 == form.size() || !form[k + 1].in_braces)) word += "}";
      text += (text.empty() ? "" : ", ") + word;
      gap = gap || list[k].find("width=") == 0;
    }
  }
  return text;
}

// The roundings that cvt takes from one type to another: "" is none at all.
std::vector<std::string> cvt_roundings(Type to, Type from) {
  const std::vector<std::string> to_float = {"rn", "rz", "rm", "rp"}, to_integer = {"rni", "rzi", "rmi", "rpi"};
  if (!is_float(to)) return is_float(from) ? to_integer : std::vector<std::string>{""};
  if (!is_float(from) || (to != from && bits(to) <= bits(from))) return to_float;
  if (to == from) return {"", "rni", "rzi", "rmi", "rpi"};
  return {""};
}

// From one integer type to another that has all of its values, PTX has no .sat.
bool cannot_saturate(Type to, Type from) {
  if (!is_integer(from) || !is_integer(to)) return false;
  const auto least = [](Type t) { return is_signed(t) ? -std::ldexp(1.0, bits(t) - 1) : 0.0; };
  const auto above = [](Type t) { return std::ldexp(1.0, bits(t) - (is_signed(t) ? 1 : 0)); };
  return least(to) <= least(from) && above(to) >= above(from);
}

std::vector<Type> second_members(const OpInfo& row) {
  return has_second_type(row.form) ? members(second_types(row.types)) : std::vector<Type>{Type::None};
}

std::vector<std::string> roundings(const OpInfo& row, Type t, Type t2) {
  if ((row.mods & kCvtRnd) != 0) return cvt_roundings(t, t2);
  if ((row.mods & kRnOnly) != 0)
    return (row.mods & kRndReq) != 0 ? std::vector<std::string>{"rn"} : std::vector<std::string>{"", "rn"};
  if ((row.mods & kRndReq) != 0) return {"rn", "rz", "rm", "rp"};
  if ((row.mods & kRnd) != 0) return {"", "rn", "rz", "rm", "rp"};
  return {""};
}

std::vector<std::string> opcodes(const OpInfo& row, Op op, Type t, Type t2) {
  std::vector<std::string> texts;
  if (row.form == Form::DAcvt && !can_convert(t, t2)) return texts;
  for (const std::string& round : roundings(row, t, t2)) {
    for (const bool ftz : {false, true}) {
      for (const bool sat : {false, true}) {
        for (const bool exclusive : {false, true}) {
          const bool converts = row.form == Form::DAcvt;
          if (exclusive && (row.mods & kExclusive) == 0) continue;
          if (ftz && !may_flush(row, t, t2)) continue;
          if (!ftz && (row.mods & kFtzReq) != 0) continue;
          if (converts ? sat && (t == Type::BF16 || t2 == Type::BF16) : sat && !takes_sat(row, t)) continue;
          if (sat && cannot_saturate(t, t2)) continue;
          std::string text = spelling(op);
          if (exclusive) text += ".exclusive";
          if (!round.empty()) text += "." + round;
          if (ftz) text += ".ftz";
          if (sat) text += ".sat";
          if (t != Type::None) text += "." + std::string(name(t));
          if (t2 != Type::None) text += "." + std::string(name(t2));
          texts.push_back(text);
        }
      }
    }
  }
  return texts;
}

void expect_round_trip(const std::string& source) {
  const Assembled first = assemble(source, "made.warp", "group");
  ASSERT_TRUE(first.program) << source.substr(0, 3000) << first.diagnostics.render();
  const std::string text = disassemble(*first.program);
  const Assembled second = assemble(text, "again.warp");
  ASSERT_TRUE(second.program) << text.substr(0, 3000) << second.diagnostics.render();
  EXPECT_EQ(difference(*first.program, *second.program), "") << text.substr(0, 3000);
}

class EveryRow : public testing::TestWithParam<int> {};

// The disassembler gives back each line as it was made: so the assembler has understood it and the text is PTX's.
TEST_P(EveryRow, GoesThroughTheAssemblerAndBack) {
  const Op op = static_cast<Op>(GetParam());
  const OpInfo& row = info(op);
  std::vector<std::string> lines;
  std::vector<std::pair<Type, Type>> types;
  for (const Type t : members(row.types)) {
    for (const Type t2 : second_members(row)) {
      for (const std::string& opcode : opcodes(row, op, t, t2)) {
        for (const std::vector<std::string>& list : operand_lists(row, t, t2)) {
          const std::string operands = operand_text(row, list);
          if (operands == "-" || (row.lift == Lift::LoadParam && list[1].empty())) continue;
          for (const std::string guard : {"", "@%p0 ", "@!%p0 "}) {
            lines.push_back(guard + opcode + (operands.empty() ? "" : " " + operands));
            types.emplace_back(t, t2);
          }
        }
      }
    }
  }
  ASSERT_FALSE(lines.empty());
  std::string source = kHead;
  for (const std::string& line : lines) source += line + "\n";
  source += "exit\n";
  const Assembled made = assemble(source, "made.warp");
  ASSERT_TRUE(made.program) << made.diagnostics.render();
  ASSERT_EQ(made.program->code.size(), kPrologue + lines.size() + 1);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Insn& insn = made.program->code[kPrologue + i];
    EXPECT_EQ(insn.op, op) << lines[i];
    EXPECT_EQ(insn.type, types[i].first) << lines[i];
    EXPECT_EQ(insn.type2, types[i].second) << lines[i];
    EXPECT_EQ(insn.operands.size(), slots(row.form).size()) << lines[i];
    EXPECT_EQ(disassemble(*made.program, static_cast<std::int32_t>(kPrologue + i)), lines[i]);
  }
  expect_round_trip(source);
}

// A rounding, .ftz, .sat or .exclusive that the row does not list is refused.
TEST_P(EveryRow, RefusesOtherModifiers) {
  const Op op = static_cast<Op>(GetParam());
  const OpInfo& row = info(op);
  for (const Type t : members(row.types)) {
    for (const Type t2 : second_members(row)) {
      const std::vector<std::string> good = opcodes(row, op, t, t2);
      std::vector<std::string> list = operand_lists(row, t, t2)[0];
      if (row.lift == Lift::LoadParam && list[1].empty()) continue;
      const std::string operands = operand_text(row, list);
      std::string suffix = t == Type::None ? "" : "." + std::string(name(t));
      if (t2 != Type::None) suffix += "." + std::string(name(t2));
      for (const std::string modifier :
           {"", ".rn", ".rz", ".rm", ".rp", ".rni", ".rzi", ".rmi", ".rpi", ".ftz", ".sat", ".exclusive", ".cold"}) {
        const std::string opcode = spelling(op) + modifier + suffix;
        const bool expected = std::find(good.begin(), good.end(), opcode) != good.end();
        const Assembled made = assemble(kHead + opcode + " " + operands + "\nexit\n", "made.warp");
        if (made.program && made.program->code[kPrologue].op != op) continue;  // add.sat.s32 is a row beside add.s32
        EXPECT_EQ(made.program.has_value(), expected) << opcode << "\n" << made.diagnostics.render();
        if (expected) continue;
        EXPECT_EQ(made.diagnostics.list.size(), 1U) << made.diagnostics.render();
      }
    }
  }
}

// Types that the row does not list are refused, and each refusal is one message.
TEST_P(EveryRow, RefusesOtherTypes) {
  const Op op = static_cast<Op>(GetParam());
  const OpInfo& row = info(op);
  TypeSet taken = 0;
  for (const OpInfo& other : all_ops()) {
    const bool with_sat = (other.mods & kSat) != 0 && row.mnemonic == std::string(other.mnemonic) + ".sat";
    if (other.mnemonic == row.mnemonic || with_sat) taken |= other.types;
  }
  for (int t = 1; t < kTypeCount; ++t) {
    if (contains(taken, static_cast<Type>(t))) continue;
    const std::string type(name(static_cast<Type>(t)));
    const std::string opcode = spelling(op) + "." + type + (has_second_type(row.form) ? ".s32" : "");
    const Assembled made = assemble(kHead + opcode + "\nexit\n", "made.warp");
    EXPECT_FALSE(made.program.has_value()) << opcode;
    ASSERT_EQ(made.diagnostics.list.size(), 1U) << made.diagnostics.render();
    const std::string& code = made.diagnostics.list[0].code;
    EXPECT_TRUE(code == "A016" || code == "A017") << made.diagnostics.render();
  }
}

std::string row_name(const testing::TestParamInfo<int>& i) { return std::string(info(static_cast<Op>(i.param)).id); }
INSTANTIATE_TEST_SUITE_P(Table, EveryRow, testing::Range(0, kOpCount), row_name);

TEST(Table, NoRowIsAmongTheUnsupported) {
  for (const std::string_view opcode : opcodes_not_supported_yet()) {
    for (const OpInfo& row : all_ops()) EXPECT_NE(row.mnemonic.substr(0, row.mnemonic.find('.')), opcode) << row.id;
  }
}

// The name that Mojo or CUDA gives to a row leads to a row with that name, and every such message has a suggestion.
TEST(Table, OtherLanguagesNamesAreSuggested) {
  for (const OpInfo& row : all_ops()) {
    for (const std::string prefix : {"warp.", "__"}) {
      const std::size_t at = row.aka.find(prefix);
      if (at == std::string_view::npos) continue;
      const std::string word(row.aka.substr(at, row.aka.find_first_of("([;,", at) - at));
      const Assembled made = assemble(kHead + word + " %r1, %r0\nexit\n", "made.warp");
      ASSERT_EQ(made.diagnostics.list.size(), 1U) << word;
      EXPECT_EQ(made.diagnostics.list[0].code, "A012") << word;
      EXPECT_NE(made.diagnostics.list[0].hint.find("did you mean"), std::string::npos)
          << word << ": " << made.diagnostics.list[0].hint;
    }
  }
}

TEST(Table, EverySpecialRegisterIsAnOperand) {
  for (const SpecialInfo& special : all_specials()) {
    const std::string type = special.type == Type::Mask ? "mask" : "u32";
    expect_round_trip(std::string(kHead) + "mov." + type + " %s, " + std::string(special.name) + "\nexit\n");
  }
}

TEST(RoundTrip, WholePrograms) {
  expect_round_trip(R"(// First line.
//
//   Indented "third" line with \ and ↔.

.title "A \"title\" with \\ and ↔"
.document "000:1-2"
.section "Where it is told"
.puzzle "p26 --x"
.twin group_1/other
.exempt 1, 0x2 "pairs \"of pairs\""
.exempt 64 "a mask of 32 bits"
.group p26
.kernel whole (in input: f32[size * 2], out output: f32[], inout both: u64[WARP_SZ], param size: u32 = WARP_SZ * (1 + 1), param g: f64)
.shared f32 tile[WARP_SZ * 2 - 1]
.shared u64 wide[1 << (3 + 1)]
.reg .f32 %later, %unused
.reg .pred %q<3>
first: second:
        .phase "One {step}" when=%p head=3
        .draw "Lane {lane}" columns=2
        .draw "…"
        setp.lt.u32 %p|%q1, %gtid, size
        @!%p bra done
        .phase "nothing happens here"
        ld.global.f32 %later, input[%gtid + (WARP_SZ >> 1)]; mov.b32 %copy, %later
third:  .phase "Two"
        shfl.sync.bfly.b32 %other|%ok, %copy, WARP_SZ / 2, 31, 0xffffffff
        vote.sync.ballot.b32 %lanes, %ok, mask=%lanemask_lt
        bar.warp.sync %lanes; bar.sync 1, 64
        broadcast.f32 %other, %other, mask=0xff
        st.shared.f32 [tile + 4], %other
        @%p bra.uni third
done:   exit
.phase "after the end"
.picture "A picture" id=x
.draw "line" once
.case test
    size = WARP_SZ   // a comment
    input = [1, 2,   // another
             3]; expect output = i == 0 ? 1 : 2, last 3
.case bare
)");
}

TEST(RoundTrip, HeaderComments) {
  for (const std::string header : {"/* one\n * two\n */\n", "// one\n// two\n", "\xef\xbb\xbf// one\n// two\n"}) {
    const Assembled made = assemble(header + ".kernel k ()\nexit\n", "made.warp");
    ASSERT_TRUE(made.program) << made.diagnostics.render();
    EXPECT_EQ(made.program->header, "one\ntwo");
  }
  EXPECT_EQ(assemble(".kernel k ()\nexit\n// not this\n", "made.warp").program->header, "");
}

TEST(RoundTrip, TheProgramsFiles) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(WARPSIM_SOURCE_DIR) + "/programs")) {
    if (entry.path().extension() != ".warp") continue;
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream stream(entry.path());
    std::stringstream text;
    text << stream.rdbuf();
    expect_round_trip(text.str());
    ++files;
  }
  EXPECT_GE(files, 30U);
}

}  // namespace
}  // namespace warpsim
