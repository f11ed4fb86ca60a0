// Every line that the table allows: see every_line.h.
#include "tests/support/every_line.h"

#include <algorithm>
#include <cmath>

namespace warpsim {

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

const std::string kEveryHead =
    ".kernel k (in input: f32[n], out output: f32[n], inout wide: f64[n], inout half: f16[n], inout byte: u8[n], param "
    "n: u32 = WARP_SZ, "
    "param f: f32 = 1.0)\n"
    ".shared f32 tile32[64]\n.shared f64 tile64[64]\n.shared b16 tile16[64]\n.shared b8 tile8[64]\n"
    "mov.b16 %h0, 1\nmov.u32 %r0, 2\nmov.u64 %d0, input\nsetp.eq.u32 %p0, 0, 0\nactivemask.mask %m0\nmov.u32 %a0, "
    "tile32\nadd.cc.u32 %r0, %r0, 0\n"
    "here:\n";

// Operand c of a comparison.
std::vector<std::string> choices_of_c(const std::string& opcode) {
  for (const char* const word : {".and.", ".or.", ".xor."})
    if (opcode.find(word) != std::string::npos) return {"%p0", "!%p0"};
  return {""};
}

// What may be written in a slot; "" leaves it out.
std::vector<std::string> choices(const OpInfo& row, const Slot& slot, Type t, Type t2, const std::string& opcode) {
  const Type type = slot_type(slot.type, t, t2);
  if (is_combined(slot)) return choices_of_c(opcode);
  if (slot.role == Role::Dst) return {register_for(type, false)};
  if (is_hidden(slot)) return {""};
  if (slot.role == Role::DstPred)
    return slot.when_absent == Default::Required ? std::vector<std::string>{"%p1"}
                                                 : std::vector<std::string>{"", "|%p2"};
  if (slot.role == Role::Label) return {"here"};
  if (slot.role == Role::Addr) {
    const std::string size = bits(t) == 64 ? "64" : bits(t) == 32 ? "32" : bits(t) == 16 ? "16" : "8";
    if (row.lift == Lift::LoadParam) return {bits(t) == 64 ? "[input]" : bits(t) == 32 ? "[n]" : ""};
    if (slot.name == "destination") return {"tile32[%r0]", "[%a0 - 8]", "[tile8 + 16]", "tile16[0]"};
    if (slot.name == "source") return {"output[%r0 + 4]", "wide[%d0]", "[%d0 - 8]", "half[3]"};
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
  if (row.form == Form::HintedSize) return {"128", "4 * 32"};
  if (slot.name == "event") return {"0", "15"};
  if (slot.name == "size") return {"16", "4 * 4"};
  if (slot.name == "pending") return {"0", "3"};
  if (slot.type == SlotType::Byte) return {"0", "150", "240 & 204", "WARP_SZ"};
  if (slot.name == "barrier")
    return slot.when_absent == Default::Required ? std::vector<std::string>{"%r0", "0", "15"}
                                                 : std::vector<std::string>{"%r0", "", "0", "15"};
  if (row.form == Form::BarArrive) return {"%r0", "64", "2 * WARP_SZ"};
  if (slot.name == "parity") return {"%r0", "0", "1"};
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
std::vector<std::vector<std::string>> operand_lists(const OpInfo& row, Type t, Type t2, const std::string& opcode) {
  std::vector<std::vector<std::string>> options;
  for (const Slot& slot : slots(row.form)) options.push_back(choices(row, slot, t, t2, opcode));
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

// PTX ISA 9.0, "cvt": .rn .rz of pairs and tf32, .rna of tf32, .rn of 8-bit floats.
std::vector<std::string> narrow_roundings(Type t, Type t2) {
  if (contains(kFloat8X2, t) || contains(kFloat8X2, t2)) return {"rn"};
  return t == Type::TF32 ? std::vector<std::string>{"rn", "rz", "rna"} : std::vector<std::string>{"rn", "rz"};
}

// Words for the caches, in PTX's order; what a row of shared memory takes is none of them.
std::vector<std::string> words_for_caches(const OpInfo& row) {
  if ((row.mods & kCache) == 0 || row.lift == Lift::Atomic) return {""};
  if (row.lift == Lift::Store) return {"", ".wb", ".cg", ".cs", ".wt", ".L1::evict_first", ".L1::no_allocate"};
  return {"",
          ".ca",
          ".cg",
          ".cs",
          ".lu",
          ".cv",
          ".nc",
          ".ca.nc",
          ".nc.L1::no_allocate.L2::128B",
          ".L1::evict_last.L2::evict_first.L2::64B",
          ".L1::evict_unchanged.L2::256B"};
}

std::vector<std::string> operations(const OpInfo& row, bool ftz) {
  if ((row.mods & kBoolOp) == 0 || ftz) return {""};
  if (row.form == Form::DA2B2) return {"", ".xor"};
  return {"", ".and", ".or", ".xor"};
}

std::vector<std::string> roundings(const OpInfo& row, Type t, Type t2) {
  if ((row.mods & kNarrowRnd) != 0) return narrow_roundings(t, t2);
  if ((row.mods & kCvtRnd) != 0) return cvt_roundings(t, t2);
  if ((row.mods & kRnOnly) != 0)
    return (row.mods & kRndReq) != 0 ? std::vector<std::string>{"rn"} : std::vector<std::string>{"", "rn"};
  if ((row.mods & kRndReq) != 0) return {"rn", "rz", "rm", "rp"};
  if ((row.mods & kRnd) != 0) return {"", "rn", "rz", "rm", "rp"};
  return {""};
}

std::vector<std::string> opcodes(const OpInfo& row, Op op, Type t, Type t2) {
  std::vector<std::string> texts;
  if (has_second_type(row.form) && !takes_types(row, t, t2)) return texts;
  const bool narrows = (row.mods & kNarrowRnd) != 0;
  const bool converts = row.form == Form::DAcvt && !narrows, not_f64 = t != Type::F64;
  const bool relu_here = (row.mods & kRelu) != 0 && (!converts || (contains(kHalfFloat, t) && t2 == Type::F32));
  const bool is_first = members(row.types)[0] == t;
  for (const std::string& round : roundings(row, t, t2)) {
    for (unsigned k = 0; k < 64; ++k) {
      const bool ftz = (k & 1) != 0, sat = (k & 2) != 0, exclusive = (k & 4) != 0;
      const bool relu = (k & 8) != 0, nan = (k & 16) != 0, xorsign = (k & 32) != 0;
      if (exclusive && (row.mods & kExclusive) == 0) continue;
      if (ftz && !may_flush(row, t, t2)) continue;
      if (!ftz && (row.mods & kFtzReq) != 0) continue;
      if (converts ? sat && (t == Type::BF16 || t2 == Type::BF16) : sat && !takes_sat(row, t)) continue;
      if (sat && cannot_saturate(t, t2)) continue;
      if (relu && narrows && round == "rna") continue;
      if (relu && (!relu_here || sat || (converts && (ftz || (round != "rn" && round != "rz"))))) continue;
      if (nan && ((row.mods & kNaN) == 0 || !not_f64)) continue;
      if (xorsign && ((row.mods & kXorsign) == 0 || !not_f64)) continue;
      std::string rest;
      if (exclusive) rest += ".exclusive";
      if (!round.empty()) rest += "." + round;
      if (ftz) rest += ".ftz";
      if (sat) rest += ".sat";
      const std::string before_relu = rest;
      rest.clear();
      if (relu) rest += ".relu";
      if (nan) rest += ".NaN";
      if (xorsign) rest += ".xorsign.abs";
      if (t != Type::None) rest += "." + std::string(name(t));
      if (t2 != Type::None) rest += "." + std::string(name(t2));
      for (const std::string& operation : operations(row, ftz)) {
        for (const std::string& words : is_first ? words_for_caches(row) : std::vector<std::string>{""}) {
          std::string text = spelling(op);
          text.insert(std::min({text.find(".v2"), text.find(".v4"), text.size()}), words);
          text += operation + before_relu;
          if ((row.mods & kSatfiniteReq) == 0) texts.push_back(text + rest);
          if ((row.mods & (kSatfinite | kSatfiniteReq)) != 0) texts.push_back(text + ".satfinite" + rest);
        }
      }
    }
  }
  return texts;
}

std::vector<EveryLine> every_line(Op op) {
  const OpInfo& row = info(op);
  std::vector<EveryLine> lines;
  for (const Type t : members(row.types)) {
    for (const Type t2 : second_members(row)) {
      for (const std::string& opcode : opcodes(row, op, t, t2)) {
        for (const std::vector<std::string>& list : operand_lists(row, t, t2, opcode)) {
          const std::string operands = operand_text(row, list);
          if (operands == "-" || (row.lift == Lift::LoadParam && list[1].empty())) continue;
          for (const std::string guard : {"", "@%p0 ", "@!%p0 "})
            lines.push_back({guard + opcode + (operands.empty() ? "" : " " + operands), t, t2});
        }
      }
    }
  }
  return lines;
}

std::string every_line_program(std::span<const EveryLine> lines) {
  std::string source = kEveryHead;
  for (const EveryLine& line : lines) source += line.text + "\n";
  return source + "exit\n";
}

}  // namespace warpsim
