// See kin.h.
#include "isa/sass/kin.h"

#include <algorithm>
#include <array>
#include <string>

namespace warpsim::sass {
namespace {

struct Likeness {
  std::string_view name;
  Kin kin;
};
constexpr std::array kLikenesses = {
    Likeness{"SHFL", {Op::ShflIdx, Type::B32}},
    Likeness{"LDS", {Op::LdShared, Type::B32}},
    Likeness{"STS", {Op::StShared, Type::B32}},
    Likeness{"ATOMS", {Op::AtomSharedAdd, Type::U32}},
    Likeness{"LDSM", {Op::LdShared, Type::B32}},
    Likeness{"LDG", {Op::LdGlobal, Type::B32}},
    Likeness{"STG", {Op::StGlobal, Type::B32}},
    Likeness{"LD", {Op::LdGlobal, Type::B32}},
    Likeness{"ST", {Op::StGlobal, Type::B32}},
    Likeness{"LDL", {Op::LdGlobal, Type::B32}},
    Likeness{"STL", {Op::StGlobal, Type::B32}},
    Likeness{"LDC", {Op::LdGlobal, Type::B32}},
    Likeness{"ULDC", {Op::LdGlobal, Type::B32}},
    Likeness{"ATOM", {Op::AtomGlobalAdd, Type::U32}},
    Likeness{"ATOMG", {Op::AtomGlobalAdd, Type::U32}},
    Likeness{"RED", {Op::RedGlobalAdd, Type::U32}},
    Likeness{"REDG", {Op::RedGlobalAdd, Type::U32}},
    Likeness{"LDGSTS", {Op::LdGlobal, Type::B32}},
    Likeness{"MUFU", {Op::RcpApprox, Type::F32}},
    Likeness{"IMAD", {Op::MulLo, Type::S32}},
    Likeness{"FFMA", {Op::Fma, Type::F32}},
    Likeness{"FMUL", {Op::Fma, Type::F32}},
    Likeness{"FADD", {Op::Fma, Type::F32}},
    Likeness{"HFMA2", {Op::Fma, Type::F32}},
    Likeness{"HMUL2", {Op::Fma, Type::F32}},
    Likeness{"HADD2", {Op::Fma, Type::F32}},
    Likeness{"DADD", {Op::Fma, Type::F64}},
    Likeness{"DMUL", {Op::Fma, Type::F64}},
    Likeness{"DFMA", {Op::Fma, Type::F64}},
    Likeness{"DSETP", {Op::Fma, Type::F64}},
    Likeness{"BRA", {Op::Bra, Type::None}},
    Likeness{"BRX", {Op::Bra, Type::None}},
    Likeness{"JMP", {Op::Bra, Type::None}},
    Likeness{"CALL", {Op::Bra, Type::None}},
    Likeness{"RET", {Op::Bra, Type::None}},
    Likeness{"BSSY", {Op::Bra, Type::None}},
    Likeness{"BSYNC", {Op::Bra, Type::None}},
    Likeness{"BREAK", {Op::Bra, Type::None}},
    Likeness{"WARPSYNC", {Op::Bra, Type::None}},
    Likeness{"EXIT", {Op::Exit, Type::None}},
    Likeness{"BAR", {Op::BarSync, Type::None}},
    Likeness{"VOTE", {Op::VoteBallot, Type::B32}},
    Likeness{"VOTEU", {Op::VoteBallot, Type::B32}},
    Likeness{"MATCH", {Op::MatchAny, Type::B32}},
    Likeness{"REDUX", {Op::ReduxAdd, Type::U32}},
    Likeness{"CREDUX", {Op::ReduxAdd, Type::U32}},
    Likeness{"F2I", {Op::Cvt, Type::S32}},
    Likeness{"F2F", {Op::Cvt, Type::F32}},
    Likeness{"I2F", {Op::Cvt, Type::F32}},
    Likeness{"FRND", {Op::Cvt, Type::F32}},
    Likeness{"F2FP", {Op::Cvt, Type::F32}},
    Likeness{"I2FP", {Op::Cvt, Type::F32}},
    Likeness{"S2R", {Op::Nanosleep, Type::U32}},
    Likeness{"S2UR", {Op::Nanosleep, Type::U32}},
    Likeness{"CS2R", {Op::Nanosleep, Type::U32}},
    Likeness{"NANOSLEEP", {Op::Nanosleep, Type::U32}},
};

std::string_view name_in(std::string_view opcode) { return opcode.substr(0, opcode.find('.')); }

bool has_modifier(std::string_view opcode, std::string_view wanted) {
  for (std::size_t at = opcode.find('.'); at != std::string_view::npos;) {
    const std::size_t end = opcode.find('.', at + 1);
    if (opcode.substr(at + 1, end == std::string_view::npos ? end : end - at - 1) == wanted) return true;
    at = end;
  }
  return false;
}

}  // namespace

Kin kin_of(std::string_view opcode) {
  const auto* const found = std::find_if(kLikenesses.begin(), kLikenesses.end(),
                                         [&](const Likeness& one) { return one.name == name_in(opcode); });
  return found == kLikenesses.end() ? Kin{} : found->kin;
}

ResultKind result_of(std::string_view opcode) {
  constexpr std::array<std::string_view, 10> kFloats = {"FADD", "FMUL", "FFMA", "FMNMX", "FSEL",
                                                        "MUFU", "I2F",  "I2FP", "FRND",  "FSWZADD"};
  constexpr std::array<std::string_view, 10> kCopies = {"MOV", "SEL", "SHFL", "LDG",  "LDS",
                                                        "LDL", "LD",  "LDC",  "UMOV", "ULDC"};
  const auto is_one_of = [name = name_in(opcode)](const auto& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is_one_of(kFloats)) return ResultKind::Float;
  return is_one_of(kCopies) || has_modifier(opcode, "MOV") ? ResultKind::Copy : ResultKind::Integer;
}

bool is_jump(std::string_view opcode) {
  constexpr std::array<std::string_view, 5> kJumps = {"BRA", "BRX", "JMP", "CALL", "RET"};
  return std::find(kJumps.begin(), kJumps.end(), name_in(opcode)) != kJumps.end();
}

unsigned registers_written(std::string_view opcode) {
  const std::string_view name = name_in(opcode);
  const auto has = [opcode](std::string_view modifier) { return has_modifier(opcode, modifier); };
  const std::string_view first = opcode.substr(std::min(name.size() + 1, opcode.size()));  // the result's type
  if (name == "I2F" || name == "F2F" || name == "FRND") return first.starts_with("F64") ? 2 : 1;
  if (name == "F2I") return first.starts_with("S64") || first.starts_with("U64") ? 2 : 1;
  if (name == "CS2R") return has("32") ? 1 : 2;
  if (name == "LDSM") return has("4") ? 4 : has("2") ? 2 : 1;
  if (name == "DADD" || name == "DMUL" || name == "DFMA") return 2;
  return has("128") ? 4 : has("64") || has("WIDE") ? 2 : 1;
}

unsigned registers_read(const Instruction& insn, std::size_t operand) {
  constexpr std::array<std::string_view, 10> kMemory = {"ST",  "STG",   "STS",   "STL",  "ATOM",
                                                        "RED", "ATOMG", "ATOMS", "REDG", "STAS"};
  const auto has = [&insn](std::string_view modifier) { return has_modifier(insn, modifier); };
  const std::string_view name = insn.name;
  if (name == "DADD" || name == "DMUL" || name == "DFMA" || name == "DSETP") return 2;
  if (std::find(kMemory.begin(), kMemory.end(), name) != kMemory.end())
    return has("128") ? 4 : has("64") || has("S64") || has("F64") ? 2 : 1;
  if (name == "IMAD" || name == "UIMAD") {  // of a * b + c it is c
    const auto first = insn.operands.begin();
    const auto before = std::count_if(first, first + static_cast<std::ptrdiff_t>(operand),
                                      [](const Operand& one) { return !one.is_destination; });
    return has("WIDE") && before == 2 ? 2 : 1;
  }
  if (name == "I2F") return has("S64") || has("U64") ? 2 : 1;
  if (name == "F2I" || name == "FRND") return has("F64") ? 2 : 1;
  if (name != "F2F") return 1;
  for (auto one = insn.modifiers.rbegin(); one != insn.modifiers.rend(); ++one)  // the result's type is before it
    if (one->starts_with("F") && one->size() == 3) return *one == "F64" ? 2 : 1;
  return 1;
}

unsigned registers_of_address(const Operand& memory) {
  const std::string base = "R" + std::to_string(memory.base) + ".64";
  return memory.text.find(base) == std::string::npos ? 1 : 2;
}

}  // namespace warpsim::sass
