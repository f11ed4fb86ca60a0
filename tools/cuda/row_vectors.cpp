// row_vectors: runs every row of the instruction table on the GPU of this machine, with every type and modifier, and
// prints the bits.
//
//   row_vectors > h200_rows.txt && xz -9e h200_rows.txt      the capture that tests/data holds
//   row_vectors --ptx DIR                                    only writes the PTX, to look at or to check with ptxas
//
// Build, from the root: g++ -std=c++20 -O2 -I. tools/cuda/row_vectors.cpp isa/op.cpp isa/type.cpp -ldl -o row_vectors
//
// Shapes: each opcode becomes a PTX kernel of its own, made from the row's form; the driver compiles it. Operands come
//         from memory, so nothing is folded. Output, hexadecimal: `opcode a b c -> r`, or `-> r carry`; of an atomic
//         `atom.… memory b [c] -> old left`, `red.… memory b -> left`; of a reduction at a barrier `bar.red.… p -> r`
//         with one bit for each of 64 threads; of a load `ld.… word… -> element…`, of a store into memory full of a5
//         `st.… element… -> word…`, the words of 64 bits and only as many as there are; of a mov with braces
//         `mov.pack2.b64 a b -> r`, `mov.unpack2.b64 a -> r r`. Lines that begin with # are comments.
// Units:  widths in bits.
// Errors: an opcode that the driver's compiler refuses becomes a comment; a failing driver call ends the program with
// status 1. Source: PTX ISA 9.0; CUDA driver API 13.0, from libcuda.so.1 at run time: neither nvcc nor its headers are
// needed.
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "isa/op.h"
#include "isa/type.h"

namespace warpsim {
namespace {

// ---- the instructions: rows × types × modifiers
struct Instruction {
  const OpInfo* row;
  Type type, type2;
  Mods mods;
};

std::string opcode_text(const Instruction& i) {
  std::string text(i.row->mnemonic);
  if (i.mods.round != Round::None) text.append(".").append(name(i.mods.round));
  if (i.mods.ftz) text += ".ftz";
  if (i.mods.sat) text += ".sat";
  if (i.mods.relu) text += ".relu";
  if (i.mods.nan) text += ".NaN";
  if (i.mods.xorsign) text += ".xorsign.abs";
  if (i.type != Type::None) text.append(".").append(name(i.type));
  if (i.type2 != Type::None) text.append(".").append(name(i.type2));
  return text;
}

std::vector<Type> types_in(TypeSet set) {
  std::vector<Type> types;
  for (int t = 1; t < kTypeCount; ++t) {  // not None
    const Type type = static_cast<Type>(t);
    if (type != Type::Mask && contains(set, type)) types.push_back(type);  // a mask is b32 or b64 when it runs
  }
  return types;
}

std::vector<Round> rounds_of(const Instruction& i) {
  const ModSet m = i.row->mods;
  const bool float_result = is_float(element(i.type));
  if ((m & kCvtRnd) != 0) {
    if (!is_float(i.type2))
      return float_result ? std::vector{Round::None, Round::Rn, Round::Rz, Round::Rm, Round::Rp}
                          : std::vector{Round::None};
    if (!float_result) return {Round::Rni, Round::Rzi, Round::Rmi, Round::Rpi};
    if (i.type == i.type2) return {Round::None, Round::Rni, Round::Rzi, Round::Rmi, Round::Rpi};
    return bits(i.type) <= bits(i.type2) ? std::vector{Round::Rn, Round::Rz, Round::Rm, Round::Rp}
                                         : std::vector{Round::None};
  }
  if (!float_result || (m & (kRnd | kRndReq)) == 0) return {Round::None};
  if ((m & kRnOnly) != 0) return (m & kRndReq) != 0 ? std::vector{Round::Rn} : std::vector{Round::None, Round::Rn};
  if ((m & kRndReq) != 0) return {Round::Rn, Round::Rz, Round::Rm, Round::Rp};
  return {Round::None, Round::Rn, Round::Rz, Round::Rm, Round::Rp};
}

// Rows that have something to measure: a result of their own on one lane, in memory, or at a barrier.
bool is_measured(const OpInfo& row) {
  switch (row.lift) {
    case Lift::Atomic:
    case Lift::BarrierReduce:
    case Lift::Load:
    case Lift::Store:
    case Lift::Pack:
    case Lift::Unpack: return true;
    default: return is_lanewise(row.lift);
  }
}

std::vector<Instruction> all_instructions() {
  std::vector<Instruction> all;
  for (const OpInfo& row : all_ops()) {
    if (!is_measured(row)) continue;
    for (const Type type : row.types == kNoType ? std::vector{Type::None} : types_in(row.types)) {
      const std::vector<Type> sources =
          has_second_type(row.form) ? types_in(second_types(row.types)) : std::vector{Type::None};
      for (const Type type2 : sources) {
        const bool converts = row.form == Form::DAcvt;
        const bool ftz = may_flush(row, type, type2);
        const bool sat = converts ? (row.mods & kSat) != 0 : takes_sat(row, type);
        const bool relu = (row.mods & kRelu) != 0 && (!converts || (contains(kHalfFloat, type) && type2 == Type::F32));
        const bool not_f64 = type != Type::F64, nan = (row.mods & kNaN) != 0 && not_f64;
        const bool xorsign = (row.mods & kXorsign) != 0 && not_f64;
        Instruction i{&row, type, type2, {}};
        for (const Round round : rounds_of(i)) {
          for (int k = 0; k < 32; ++k) {
            i.mods = Mods{.round = round, .ftz = (k & 1) != 0, .sat = (k & 2) != 0};
            i.mods.relu = (k & 4) != 0;
            i.mods.nan = (k & 8) != 0;
            i.mods.xorsign = (k & 16) != 0;
            if ((i.mods.ftz && !ftz) || (i.mods.sat && !sat) || (i.mods.relu && !relu) || (i.mods.nan && !nan) ||
                (i.mods.xorsign && !xorsign) || (!i.mods.ftz && (row.mods & kFtzReq) != 0))
              continue;
            all.push_back(i);
          }
        }
      }
    }
  }
  return all;
}

// ---- operands and results, from the form
struct Signature {
  std::vector<Type> results, operands;             // of an atomic: the value in memory first
  bool reads_carry = false, writes_carry = false;  // the last operand; the last result
  std::size_t constant = kNoConstant;              // the operand that is part of the instruction

  static constexpr std::size_t kNoConstant = 9;
};

// Elements of a vector, or parts of a register: 1, 2 or 4.
std::size_t elements(const Instruction& i) { return static_cast<std::size_t>(std::max(1, elements(i.row->form))); }
Type part_type(const Instruction& i) {
  const int width = bits(i.type) / static_cast<int>(elements(i));
  return width == 16 ? Type::B16 : Type::B32;
}
// A byte is in a register of 16 bits, which shows whether its sign came along.
Type register_of(Type t) { return bits(t) == 8 ? Type::U16 : t; }
std::size_t memory_words(const Instruction& i) {
  return std::max<std::size_t>(1, elements(i) * static_cast<std::size_t>(bits(i.type)) / 64);
}

Signature signature(const Instruction& i) {
  Signature s;
  switch (i.row->lift) {
    case Lift::BarrierReduce: return {.results = {i.type}, .operands = {Type::Pred}};
    case Lift::Atomic:
      s.results.assign(i.row->form == Form::Red ? 1 : 2, i.type);
      s.operands.assign(i.row->form == Form::AtomCas ? 3 : 2, i.type);
      return s;
    case Lift::Load:
      s.operands.assign(memory_words(i), Type::B64);
      s.results.assign(elements(i), register_of(i.type));
      return s;
    case Lift::Store:
      s.operands.assign(elements(i), register_of(i.type));
      s.results.assign(memory_words(i), Type::B64);
      return s;
    case Lift::Pack: return {.results = {i.type}, .operands = std::vector<Type>(elements(i), part_type(i))};
    case Lift::Unpack: return {.results = std::vector<Type>(elements(i), part_type(i)), .operands = {i.type}};
    default: break;
  }
  for (const Slot& slot : slots(i.row->form)) {
    if (is_hidden(slot)) (slot.role == Role::Src ? s.reads_carry : s.writes_carry) = true;
    const Type type = slot_type(slot.type, i.type, i.type2);
    if (slot.type == SlotType::Byte) s.constant = s.operands.size();
    if (slot.role == Role::Src) s.operands.push_back(type);
    else if (slot.when_absent == Default::Required) s.results.push_back(type);
  }
  if (s.writes_carry) s.results.push_back(Type::Pred);
  return s;
}

// What a line begins with: the opcode, but that the movs with braces are told apart.
std::string line_name(const Instruction& i) {
  std::string text = opcode_text(i);
  const std::string count = std::to_string(elements(i));
  if (i.row->lift == Lift::Pack) text.insert(3, ".pack" + count);
  if (i.row->lift == Lift::Unpack) text.insert(3, ".unpack" + count);
  return text;
}

// ---- PTX
std::string register_type(Type t) {
  return t == Type::Pred ? "pred" : "b" + std::to_string(bits(t) == 8 ? 16 : bits(t));
}

// 64 bits of memory ↔ a register of the type's width.
std::string load(Type t, const std::string& reg, const std::string& wide_reg) {
  if (t == Type::Pred)
    return "  and.b64 " + wide_reg + ", " + wide_reg + ", 1;\n  setp.ne.u64 " + reg + ", " + wide_reg + ", 0;\n";
  if (bits(t) == 64) return "  mov.b64 " + reg + ", " + wide_reg + ";\n";
  return "  cvt.u" + std::to_string(bits(t)) + ".u64 " + reg + ", " + wide_reg + ";\n";
}
std::string store(Type t, const std::string& reg, const std::string& wide_reg) {
  if (t == Type::Pred) return "  selp.u64 " + wide_reg + ", 1, 0, " + reg + ";\n";
  if (bits(t) == 64) return "  mov.b64 " + wide_reg + ", " + reg + ";\n";
  return "  cvt.u64.u" + std::to_string(bits(t)) + " " + wide_reg + ", " + reg + ";\n";
}

constexpr unsigned kBarrierThreads = 64;  // two warps
constexpr unsigned kBlockThreads = 128;

std::string operand_from(std::size_t k, Type t, const std::string& reg) {
  return std::string("  ld.param.u64 %p, [") + "abcd"[k] + "];\n  add.u64 %p, %p, %o;\n  ld.global.u64 %w, [%p];\n" +
         load(t, reg, "%w");
}
// A thread has four words of results.
std::string result_to(std::size_t k, Type t, const std::string& reg) {
  return store(t, reg, "%w") + "  st.global.u64 [%r+" + std::to_string(8 * k) + "], %w;\n";
}
std::string named(const char* prefix, std::size_t k) { return prefix + std::to_string(k); }
std::string braces(const char* prefix, std::size_t count) {
  if (count == 1) return named(prefix, 0);
  std::string text = "{";
  for (std::size_t k = 0; k < count; ++k) text += (k == 0 ? "" : ", ") + named(prefix, k);
  return text + "}";
}

// Atomics, loads and stores act on four words of the thread's own, in global or in shared memory.
std::string access(const Instruction& i, const Signature& s) {
  const bool shared = i.row->mnemonic.find(".shared.") != std::string_view::npos || i.row->mnemonic == "ld.shared" ||
                      i.row->mnemonic == "st.shared";
  const std::string space = shared ? ".shared" : ".global", width = ".b" + std::to_string(bits(i.type));
  const bool loads = i.row->lift == Lift::Load, stores = i.row->lift == Lift::Store;
  std::string text = "  .reg .b64 %m;\n";
  if (shared) {
    text += "  .shared .align 16 .b64 tile[" + std::to_string(4 * kBlockThreads) +
            "];\n  mov.u32 %t, %tid.x;\n  mul.wide.u32 %m, %t, 32;\n  mov.u64 %w, tile;\n  add.u64 %m, %m, %w;\n";
  } else {
    text += "  ld.param.u64 %m, [m];\n  mul.wide.u32 %w, %i, 32;\n  add.u64 %m, %m, %w;\n";
  }
  if (stores) {
    for (std::size_t k = 0; k < s.results.size(); ++k)
      text += "  st" + space + ".b64 [%m+" + std::to_string(8 * k) + "], 0xa5a5a5a5a5a5a5a5;\n";
    text += "  " + opcode_text(i) + " [%m], " + braces("%s", s.operands.size()) + ";\n";
    for (std::size_t k = 0; k < s.results.size(); ++k)
      text += "  ld" + space + ".b64 %d" + std::to_string(k) + ", [%m+" + std::to_string(8 * k) + "];\n";
    return text;
  }
  if (loads) {
    for (std::size_t k = 0; k < s.operands.size(); ++k)
      text += "  st" + space + ".b64 [%m+" + std::to_string(8 * k) + "], " + named("%s", k) + ";\n";
    return text + "  " + opcode_text(i) + " " + braces("%d", s.results.size()) + ", [%m];\n";
  }
  const std::size_t left = s.results.size() - 1;  // what was there stands before it
  text += "  st" + space + width + " [%m], %s0;\n  " + opcode_text(i) + (left == 1 ? " %d0, " : " ") + "[%m]";
  for (std::size_t k = 1; k < s.operands.size(); ++k) text += ", " + named("%s", k);
  return text + ";\n  ld" + space + width + " " + named("%d", left) + ", [%m];\n";
}

std::string instruction(const Instruction& i, const Signature& s, std::uint64_t constant) {
  const std::string opcode = "  " + opcode_text(i) + " ";
  switch (i.row->lift) {
    case Lift::Atomic:
    case Lift::Load:
    case Lift::Store: return access(i, s);
    case Lift::Pack: return opcode + "%d0, " + braces("%s", s.operands.size()) + ";\n";
    case Lift::Unpack: return opcode + braces("%d", s.results.size()) + ", %s0;\n";
    case Lift::BarrierReduce:  // each 64 threads meet at a barrier of their own
      return "  mov.u32 %t, %tid.x;\n  shr.u32 %t, %t, 6;\n" + opcode + "%d0, %t, " + std::to_string(kBarrierThreads) +
             ", %s0;\n";
    default: break;
  }
  std::string text, operands = "%d0";
  for (std::size_t k = 0; k < s.operands.size(); ++k) {
    const std::string reg = named("%s", k);
    if (k == s.constant) operands += ", " + std::to_string(constant);
    else if (s.reads_carry && k + 1 == s.operands.size())
      text += "  selp.u32 %t, 1, 0, " + reg + ";\n  add.cc.u32 %t, %t, 0xffffffff;\n";
    else operands += ", " + reg;
  }
  text += opcode + operands + ";\n";
  if (s.writes_carry) text += "  addc.u32 %t, 0, 0;\n  setp.ne.u32 %d1, %t, 0;\n";
  return text;
}

std::string ptx(const Instruction& i, std::uint64_t constant) {
  const Signature s = signature(i);
  std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d, .param .u64 r, .param .u64 m, "
      ".param .u32 n) {\n"
      "  .reg .pred %outside;\n  .reg .b32 %i, %n, %t;\n  .reg .b64 %p, %o, %w, %r;\n";
  for (std::size_t k = 0; k < s.operands.size(); ++k)
    text += "  .reg ." + register_type(s.operands[k]) + " " + named("%s", k) + ";\n";
  for (std::size_t k = 0; k < s.results.size(); ++k)
    text += "  .reg ." + register_type(s.results[k]) + " " + named("%d", k) + ";\n";
  text +=
      "  ld.param.u32 %n, [n];\n  mov.u32 %i, %ctaid.x;\n  mov.u32 %t, %ntid.x;\n  mul.lo.u32 %i, %i, %t;\n"
      "  mov.u32 %t, %tid.x;\n  add.u32 %i, %i, %t;\n  setp.ge.u32 %outside, %i, %n;\n  @%outside ret;\n"
      "  mul.wide.u32 %o, %i, 8;\n  ld.param.u64 %r, [r];\n  mul.wide.u32 %w, %i, 32;\n  add.u64 %r, %r, %w;\n";
  for (std::size_t k = 0; k < s.operands.size(); ++k) {
    if (k != s.constant) text += operand_from(k, s.operands[k], named("%s", k));
  }
  text += instruction(i, s, constant);
  for (std::size_t k = 0; k < s.results.size(); ++k) text += result_to(k, s.results[k], named("%d", k));
  return text + "  ret;\n}\n";
}

// ---- operand values: those that meet every border, then random ones. The same for every opcode of the same types.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

std::vector<std::uint64_t> special_values(Type t) {
  if (t == Type::Pred) return {0, 1};
  if (t == Type::F16) {
    return {0x0000, 0x8000, 0x0001, 0x83ff, 0x03ff, 0x0400, 0x3c00, 0xbc00, 0x3c01,
            0x3800, 0xb800, 0x3e00, 0x4100, 0xc100, 0x5bff, 0x7800, 0xf800, 0x7bff,
            0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7c01, 0xfe12, 0x7fff, 0x3555};
  }
  if (t == Type::BF16) {
    return {0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080, 0x3f80, 0xbf80, 0x3f81, 0x3f7f,
            0x3f00, 0xbf00, 0x3fc0, 0x4020, 0xc020, 0x4049, 0x7f7f, 0xff7f, 0x7f00, 0x7f80, 0xff80, 0x7fc0,
            0xffc0, 0x7f81, 0xffd2, 0x7fff, 0x477f, 0x4780, 0x3380, 0x3300, 0x4f00, 0xcf00, 0x5f00};
  }
  if (is_pair(t)) {
    const std::vector<std::uint64_t> halves = special_values(element(t));
    std::vector<std::uint64_t> pairs;
    for (std::size_t k = 0; k < halves.size(); ++k)
      pairs.push_back(halves[k] | halves[(7 * k + 3) % halves.size()] << 16);
    return pairs;
  }
  if (t == Type::F32) {
    return {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00400000, 0x00800000, 0x80800000,
            0x00800001, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff, 0x3f7ffffe, 0x3f000000, 0xbf000000, 0x3fc00000,
            0x40200000, 0xc0200000, 0x40490fdb, 0x7f7fffff, 0xff7fffff, 0x7f000000, 0x7f800000, 0xff800000, 0x7fc00000,
            0xffc00000, 0x7fc12345, 0xffd54321, 0x7f800001, 0xffa00007, 0x7fffffff, 0x4b800000, 0x33800000, 0x4effffff,
            0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000, 0xdf000000, 0x5f7fffff,
            0x5f800000, 0x477fe000, 0x477fefff, 0x477ff000, 0x38800000, 0x33000000, 0x33000001, 0x38ffe000};
  }
  if (t == Type::F64) {
    return {0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800fffffffffffff, 0x000fffffffffffff,
            0x0010000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001, 0x3fefffffffffffff,
            0x3fe0000000000000, 0xbfe0000000000000, 0x3ff8000000000000, 0x4004000000000000, 0x7fefffffffffffff,
            0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff8000000000000,
            0x7ff8000012345678, 0x7ff0000000000001, 0xfffc000000000abc, 0x7fffffffffffffff, 0x400921fb54442d18,
            0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000,
            0x41f0000000000000, 0x43dfffffffffffff, 0x43e0000000000000, 0xc3e0000000000000, 0x43efffffffffffff,
            0x43f0000000000000, 0x40effc0000000000, 0x40effdffffffffff, 0x40effe0000000000, 0x3810000000000000,
            0x380fffffe0000000, 0x380ffffff0000000, 0x36a0000000000000, 0x3690000000000000, 0x3690000000000001,
            0x47efffffe0000000, 0x47effffff0000000, 0x3e60000000000001};
  }
  if (bits(t) == 16) return {0, 1, 0x7fff, 0x8000, 0xffff, 0x1234};
  std::vector<std::uint64_t> v = {0,          1,          2,          3,          7,          31,         32,
                                  33,         63,         64,         65,         255,        256,        0x7fff,
                                  0x8000,     0xffff,     0x10000,    0x800,      0x801,      0x1001,     0xffe0,
                                  0xffef,     0xfff0,     0x00ffffff, 0x01000001, 0x01000003, 0x7fffffff, 0x80000000,
                                  0x80000001, 0xffffffff, 0xfffffffe, 0x12345678, 0x9abcdef0, 0xdeadbeef};
  if (bits(t) == 64) {
    for (const std::uint64_t x :
         {0x100000000U, 0x7fffffffffffffffU, 0x8000000000000000U, 0xffffffffffffffffU, 0xfffffffffffffffeU,
          0x123456789abcdef0U, 0x0020000000000001U, 0x7ffffffffffffc00U, 0xfffffffffffff400U, 0xffffffff80000000U,
          0x8000008000000000U, 0x8000008000000001U, 0xffffff7fffffffffU})
      v.push_back(x);
  }
  return v;
}

// Floats of nearby sizes half of the time, so that sums round and cancel; anything else as well.
std::uint64_t random_value(Type t, Random& random) {
  const std::uint64_t r = random.next(), all = bits(t) >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits(t)) - 1;
  if (is_pair(t)) return random_value(element(t), random) | random_value(element(t), random) << 16;
  if (!is_float(t)) return (random.next() >> (r & 1 ? r >> 8 & 63 : 0)) & all;
  const int fraction = t == Type::F16 ? 10 : t == Type::BF16 ? 7 : t == Type::F32 ? 23 : 52;
  const std::uint64_t one = (all >> (fraction + 2)) << fraction;
  if ((r & 3) == 0) return random.next() & all;
  const std::uint64_t exponents = t == Type::F16 ? 12 : 40;
  const std::uint64_t near = one + ((r >> 8) % exponents << fraction) - (exponents / 2 << fraction);
  return near | (random.next() & ((std::uint64_t{1} << fraction) - 1)) | (r & 4 ? all ^ all >> 1 : 0);
}

struct Tuple {
  std::uint64_t x[4];
};

std::vector<Tuple> tuples_for(const std::vector<Type>& types) {
  std::uint64_t seed = 20261121;
  for (const Type t : types)
    seed = seed * 31 + static_cast<std::uint64_t>(bits(t)) * 4 + is_float(t) +
           2 * (is_pair(t) || t == Type::BF16);  // u32 and s32 share theirs
  Random random(seed);
  std::vector<Tuple> tuples;
  if (types.size() == 1) {
    for (const std::uint64_t a : special_values(types[0])) tuples.push_back({{a, 0, 0, 0}});
  } else {
    std::size_t pairs = 1;
    for (const Type t : types) pairs *= special_values(t).size();
    const bool few = pairs <= 160;
    for (std::size_t k = 0; k < (few ? pairs : 160); ++k) {
      Tuple tuple{};
      std::size_t which = few ? k : random.next() % pairs;
      for (std::size_t j = 0; j < types.size(); ++j) {
        const std::vector<std::uint64_t> values = special_values(types[j]);
        tuple.x[j] = values[which % values.size()];
        which /= values.size();
      }
      tuples.push_back(tuple);
    }
    // Products and quotients a hair below the smallest normal number: tiny before rounding, not after.
    if (types[0] == Type::F32) {
      for (const std::uint64_t b : {0x3f7ffffeU, 0x3f7fffffU, 0x3f800001U}) {
        for (const std::uint64_t a : {0x00800000U, 0x80800001U, 0x00800002U}) tuples.push_back({{a, b, 0, 0}});
      }
    }
    // Equal operands, for comparisons.
    for (int k = 0; k < 4; ++k) {
      const std::uint64_t x = random_value(types[0], random);
      tuples.push_back({{x, x, x, x}});
    }
  }
  if (types[0] == Type::Pred) return tuples;
  for (int k = 0; k < 60; ++k) {
    Tuple tuple{};
    for (std::size_t j = 0; j < types.size(); ++j)
      tuple.x[j] = random_value(types[j], random) & (types[j] == Type::Pred ? 1 : ~std::uint64_t{0});
    tuples.push_back(tuple);
  }
  return tuples;
}

// ---- the driver, by the names and numbers of its interface
using Device = int;
using Handle = void*;
using DevicePointer = std::uint64_t;

class Driver {
 public:
  Driver() {
    library_ = dlopen("libcuda.so.1", RTLD_NOW);
    if (library_ == nullptr) fail("libcuda.so.1 is not here", 0);
    Device device = 0;
    check("cuInit", call<int(unsigned)>("cuInit")(0));
    check("cuDeviceGet", call<int(Device*, int)>("cuDeviceGet")(&device, 0));
    Handle context = nullptr;
    check("cuDevicePrimaryCtxRetain", call<int(Handle*, Device)>("cuDevicePrimaryCtxRetain")(&context, device));
    check("cuCtxSetCurrent", call<int(Handle)>("cuCtxSetCurrent")(context));
    char device_name[200] = "";
    int version = 0;
    check("cuDeviceGetName", call<int(char*, int, Device)>("cuDeviceGetName")(device_name, sizeof device_name, device));
    check("cuDriverGetVersion", call<int(int*)>("cuDriverGetVersion")(&version));
    std::printf("# %s, CUDA %d.%d\n", device_name, version / 1000, version % 1000 / 10);
    for (DevicePointer& buffer : buffers_)
      check("cuMemAlloc", call<int(DevicePointer*, std::size_t)>("cuMemAlloc_v2")(&buffer, kBufferBytes));
  }

  // The results of one kernel over the tuples; false if the compiler refuses it.
  bool run(const std::string& text, const std::vector<Tuple>& tuples, std::vector<Tuple>& results) {
    Handle module = nullptr, kernel = nullptr;
    if (call<int(Handle*, const void*)>("cuModuleLoadData")(&module, text.c_str()) != 0) return false;
    check("cuModuleGetFunction", call<int(Handle*, Handle, const char*)>("cuModuleGetFunction")(&kernel, module, "k"));
    unsigned n = static_cast<unsigned>(tuples.size());
    for (int k = 0; k < 4; ++k) {
      std::vector<std::uint64_t> column;
      for (const Tuple& tuple : tuples) column.push_back(tuple.x[k]);
      check("cuMemcpyHtoD",
            call<int(DevicePointer, const void*, std::size_t)>("cuMemcpyHtoD_v2")(buffers_[k], column.data(), 8 * n));
    }
    void* arguments[] = {&buffers_[0], &buffers_[1], &buffers_[2], &buffers_[3], &buffers_[4], &buffers_[5], &n};
    using Launch =
        int(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void**, void**);
    check("cuLaunchKernel", call<Launch>("cuLaunchKernel")(kernel, (n + kBlockThreads - 1) / kBlockThreads, 1, 1,
                                                           kBlockThreads, 1, 1, 0, nullptr, arguments, nullptr));
    results.assign(n, {});
    check("cuMemcpyDtoH", call<int(void*, DevicePointer, std::size_t)>("cuMemcpyDtoH_v2")(results.data(), buffers_[4],
                                                                                          sizeof(Tuple) * n));
    check("cuModuleUnload", call<int(Handle)>("cuModuleUnload")(module));
    return true;
  }

 private:
  static constexpr std::size_t kBufferBytes = 1 << 22;

  [[noreturn]] static void fail(const char* what, int code) {
    std::fprintf(stderr, "row_vectors: %s (%d)\n", what, code);
    std::exit(1);
  }
  static void check(const char* what, int code) {
    if (code != 0) fail(what, code);
  }
  template <class F>
  F* call(const char* function) {
    void* address = dlsym(library_, function);
    if (address == nullptr) fail(function, 0);
    return reinterpret_cast<F*>(address);
  }

  void* library_ = nullptr;
  DevicePointer buffers_[6] = {};  // four operands, the results and memory to act on
};

int digits(Type t) { return t == Type::Pred ? 1 : bits(t) / 4; }

void print_value(Type t, std::uint64_t value) {
  const std::uint64_t x = bits(t) >= 64 ? value : value & ((std::uint64_t{1} << bits(t)) - 1);
  std::printf(" %0*llx", digits(t), static_cast<unsigned long long>(x));
}

void print(const Instruction& i, const std::vector<Tuple>& tuples, const std::vector<Tuple>& results) {
  const Signature s = signature(i);
  const std::string line = line_name(i);
  for (std::size_t k = 0; k < tuples.size(); ++k) {
    std::printf("%s", line.c_str());
    for (std::size_t j = 0; j < s.operands.size(); ++j) print_value(s.operands[j], tuples[k].x[j]);
    std::printf(" ->");
    for (std::size_t j = 0; j < s.results.size(); ++j) print_value(s.results[j], results[k].x[j]);
    std::printf("\n");
  }
}

// A line for each barrier; all of its threads must have the same result.
void print_barriers(const Instruction& i, const std::vector<std::uint64_t>& masks, const std::vector<Tuple>& results) {
  for (std::size_t m = 0; m < masks.size(); ++m) {
    const std::uint64_t result = results[m * kBarrierThreads].x[0];
    for (unsigned t = 1; t < kBarrierThreads; ++t) {
      if (results[m * kBarrierThreads + t].x[0] != result)
        std::printf("# thread %u of the next line had another result\n", t);
    }
    std::printf("%s %016llx ->", opcode_text(i).c_str(), static_cast<unsigned long long>(masks[m]));
    print_value(i.type, result);
    std::printf("\n");
  }
}
std::vector<std::uint64_t> barrier_masks() {
  std::vector<std::uint64_t> masks = {0, 1, ~std::uint64_t{0}, 1ULL << 63, 0xffffffffU, ~std::uint64_t{0} << 32, ~1ULL};
  Random random(20261121);
  while (masks.size() < 24) masks.push_back(random.next());
  return masks;
}

// One operand of 16 bits, or a pair of them: all 65536 halves, as a hash. A pair's high half goes through all of them
// too, in another order.
bool has_every_half(const Instruction& i, const Signature& s) {
  return is_lanewise(i.row->lift) && s.operands.size() == 1 &&
         (contains(kHalfFloat, s.operands[0]) || is_pair(s.operands[0])) && s.results.size() == 1 &&
         bits(s.results[0]) <= 32;
}
std::vector<Tuple> every_half(Type t) {
  std::vector<Tuple> tuples;
  for (std::uint64_t i = 0; i < 65536; ++i)
    tuples.push_back({{is_pair(t) ? i | ((i * 40503 + 12345) & 0xffff) << 16 : i, 0, 0, 0}});
  return tuples;
}
void print_hash(const Instruction& i, const std::vector<Tuple>& results) {
  std::uint64_t hash = 1469598103934665603U;  // FNV-1a over words of 32 bits, the low byte first
  for (const Tuple& result : results) {
    for (int byte = 0; byte < 4; ++byte) hash = (hash ^ (result.x[0] >> (8 * byte) & 0xff)) * 1099511628211U;
  }
  std::printf("%s all 65536 fnv=%016llx\n", opcode_text(i).c_str(), static_cast<unsigned long long>(hash));
}

// Tables of lop3: one bit alone, three operands mixed, those that need only some, everything.
const std::vector<std::uint64_t> kConstants = {0x00, 0x01, 0x1b, 0x3c, 0x80, 0x96, 0xc0, 0xca, 0xe8, 0xfe, 0xff};

int main_of(int argc, char** argv) {
  const std::vector<Instruction> all = all_instructions();
  if (argc == 3 && std::string(argv[1]) == "--ptx") {
    for (const Instruction& i : all) std::ofstream(std::string(argv[2]) + "/" + line_name(i) + ".ptx") << ptx(i, 0x96);
    return 0;
  }
  Driver driver;
  std::printf("# opcode operands -> result\n");
  int refused = 0;
  for (const Instruction& i : all) {
    const Signature s = signature(i);
    std::vector<Tuple> results;
    if (i.row->lift == Lift::BarrierReduce) {
      const std::vector<std::uint64_t> masks = barrier_masks();
      std::vector<Tuple> threads;
      for (const std::uint64_t mask : masks) {
        for (unsigned t = 0; t < kBarrierThreads; ++t) threads.push_back({{mask >> t & 1, 0, 0, 0}});
      }
      if (driver.run(ptx(i, 0), threads, results)) print_barriers(i, masks, results);
      else std::printf("# refused by the driver's compiler: %s\n", opcode_text(i).c_str()), ++refused;
      continue;
    }
    const bool has_constant = s.constant != Signature::kNoConstant;
    for (const std::uint64_t constant : has_constant ? kConstants : std::vector<std::uint64_t>{0}) {
      std::vector<Tuple> tuples = tuples_for(s.operands);
      if (has_constant) {
        for (Tuple& tuple : tuples) tuple.x[s.constant] = constant;
      }
      if (i.row->form == Form::AtomCas) {  // every other one finds what it compares with
        for (std::size_t k = 1; k < tuples.size(); k += 2) tuples[k].x[1] = tuples[k].x[0];
      }
      if (driver.run(ptx(i, constant), tuples, results)) {
        print(i, tuples, results);
        if (has_every_half(i, s) && driver.run(ptx(i, constant), every_half(s.operands[0]), results))
          print_hash(i, results);
      } else {
        ++refused;
        std::printf("# refused by the driver's compiler: %s\n", opcode_text(i).c_str());
      }
    }
  }
  std::printf("# done: %zu opcodes, %d refused\n", all.size(), refused);
  return 0;
}

}  // namespace
}  // namespace warpsim

int main(int argc, char** argv) { return warpsim::main_of(argc, argv); }
