#include "tools/cuda/rows/row_kernels.h"

namespace warpsim::rows {
namespace {

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

// Where the two assemblies differ.
enum class Language : std::uint8_t { Ptx, Program };

bool acts_on_memory(const Instruction& i) { return accesses_memory(*i.row); }
bool acts_on_shared(const Instruction& i) { return i.row->space == AddressSpace::Shared; }

// Atomics, loads and stores act on four words of the thread's own, in global or in shared memory: at %m.
std::string own_memory(const Instruction& i, Language language) {
  const bool shared = acts_on_shared(i);
  if (language == Language::Program) {
    return shared ? "  mov.u32 %t, %tid.x;\n  mov.u32 %w, tile;\n  mad.lo.u32 %m, %t, 32, %w;\n"
                  : "  mov.u32 %t, %gtid;\n  mov.u64 %w, m;\n  mad.wide.u32 %m, %t, 32, %w;\n";
  }
  std::string text = "  .reg .b64 %m;\n";
  if (shared) {
    return text + "  .shared .align 16 .b64 tile[" + std::to_string(4 * kBlockThreads) +
           "];\n  mov.u32 %t, %tid.x;\n  mul.wide.u32 %m, %t, 32;\n  mov.u64 %w, tile;\n  add.u64 %m, %m, %w;\n";
  }
  return text + "  ld.param.u64 %m, [m];\n  mul.wide.u32 %w, %i, 32;\n  add.u64 %m, %m, %w;\n";
}

std::string access(const Instruction& i, const Signature& s, Language language) {
  const std::string space = acts_on_shared(i) ? ".shared" : ".global", width = ".b" + std::to_string(bits(i.type));
  const bool loads = i.row->lift == Lift::Load, stores = i.row->lift == Lift::Store;
  std::string text = own_memory(i, language);
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

// The lanes that the member mask does not name stay away; in every second warp they exit. %i: the thread's number.
std::string meeting(const Instruction& i, const Signature& s, Language language) {
  std::string text = language == Language::Ptx ? "  .reg .pred %in, %gone;\n" : "  mov.u32 %i, %gtid;\n";
  const std::string mask = named("%s", s.operands.size() - 1);
  text += "  mov.u32 %t, %laneid;\n  shr.u32 %t, " + mask +
          ", %t;\n  and.b32 %t, %t, 1;\n"
          "  setp.ne.u32 %in, %t, 0;\n  shl.b32 %t, %t, 5;\n  or.b32 %t, %t, %i;\n  and.b32 %t, %t, 32;\n"
          "  setp.eq.u32 %gone, %t, 0;\n  @%gone exit;\n  @%in " +
          opcode_text(i) + " %d0";
  if (s.results.size() == 2) text += "|%d1";
  for (std::size_t k = 0; k < s.operands.size(); ++k) text += ", " + named("%s", k);
  return text + ";\n";
}

std::string instruction(const Instruction& i, const Signature& s, std::uint64_t constant, Language language) {
  if (is_network(i)) return meeting(i, s, language);
  const std::string opcode = "  " + opcode_text(i) + " ";
  switch (i.row->lift) {
    case Lift::Atomic:
    case Lift::Load:
    case Lift::Store: return access(i, s, language);
    case Lift::Pack: return opcode + "%d0, " + braces("%s", s.operands.size()) + ";\n";
    case Lift::Unpack: return opcode + braces("%d", s.results.size()) + ", %s0;\n";
    case Lift::BarrierReduce:  // each 64 threads wait at a barrier of their own
      return "  mov.u32 %t, %tid.x;\n  shr.u32 %t, %t, 6;\n" + opcode + "%d0, %t, " + std::to_string(kBarrierThreads) +
             ", %s0;\n";
    default: break;
  }
  std::string text, operands = has_opposite(i) ? "%d0|%d1" : "%d0";
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

std::string registers(const Signature& s) {
  std::string text = "  .reg .pred %outside;\n  .reg .b32 %i, %n, %t;\n  .reg .b64 %p, %o, %w, %r;\n";
  for (std::size_t k = 0; k < s.operands.size(); ++k)
    text += "  .reg ." + register_type(s.operands[k]) + " " + named("%s", k) + ";\n";
  for (std::size_t k = 0; k < s.results.size(); ++k)
    text += "  .reg ." + register_type(s.results[k]) + " " + named("%d", k) + ";\n";
  return text;
}
constexpr const char* kParameters =
    "(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d, .param .u64 r, .param .u64 m, .param .u32 n) {\n";
constexpr const char* kThread =
    "  ld.param.u32 %n, [n];\n  mov.u32 %i, %ctaid.x;\n  mov.u32 %t, %ntid.x;\n  mul.lo.u32 %i, %i, %t;\n"
    "  mov.u32 %t, %tid.x;\n  add.u32 %i, %i, %t;\n  setp.ge.u32 %outside, %i, %n;\n  @%outside ret;\n";

// A column's element, as a load or a store names its type: bytes and predicates have wider registers.
std::string column_type(Type t) {
  const std::size_t size = column_bytes(t);
  return size == 1 ? "u8" : "b" + std::to_string(8 * size);
}
std::string from_column(Type t, const std::string& address, const std::string& reg) {
  const std::string load = "  ld.global." + column_type(t) + " ";
  if (t != Type::Pred) return load + reg + ", " + address + ";\n";
  return load + "%t, " + address + ";\n  setp.ne.u32 " + reg + ", %t, 0;\n";
}
std::string to_column(Type t, const std::string& address, const std::string& reg) {
  const std::string store = "  st.global." + column_type(t) + " " + address + ", ";
  return t == Type::Pred ? "  selp.u32 %t, 1, 0, " + reg + ";\n" + store + "%t;\n" : store + reg + ";\n";
}
std::string own_element(Type t) {
  return "  mul.wide.u32 %o, %i, " + std::to_string(column_bytes(t)) + ";\n  add.u64 %p, %p, %o;\n";
}

}  // namespace

std::string ptx(const Instruction& i, std::uint64_t constant) {
  const Signature s = signature(i);
  std::string text = std::string(kPtxHead) + ".visible .entry k" + kParameters + registers(s) + kThread +
                     "  mul.wide.u32 %o, %i, 8;\n  ld.param.u64 %r, [r];\n  mul.wide.u32 %w, %i, 32;\n"
                     "  add.u64 %r, %r, %w;\n";
  for (std::size_t k = 0; k < s.operands.size(); ++k) {
    if (k != s.constant) text += operand_from(k, s.operands[k], named("%s", k));
  }
  text += instruction(i, s, constant, Language::Ptx);
  for (std::size_t k = 0; k < s.results.size(); ++k) text += result_to(k, s.results[k], named("%d", k));
  return text + "  ret;\n}\n";
}

std::string column_ptx(const Instruction& i, std::uint64_t constant, const std::string& kernel) {
  const Signature s = signature(i);
  std::string text = ".visible .entry " + kernel + kParameters + registers(s) + kThread + "  ld.param.u64 %r, [r];\n";
  for (std::size_t k = 0; k < s.operands.size(); ++k) {
    if (k == s.constant) continue;
    text += std::string("  ld.param.u64 %p, [") + "abcd"[k] + "];\n" + own_element(s.operands[k]) +
            from_column(s.operands[k], "[%p]", named("%s", k));
  }
  text += instruction(i, s, constant, Language::Ptx);
  for (std::size_t k = 0; k < s.results.size(); ++k) {
    text += "  mul.wide.u32 %p, %n, " + std::to_string(8 * k) + ";\n  add.u64 %p, %p, %r;\n" +
            own_element(s.results[k]) + to_column(s.results[k], "[%p]", named("%d", k));
  }
  return text + "  ret;\n}\n";
}

std::string column_program(const Instruction& i, std::uint64_t constant) {
  const Signature s = signature(i);
  std::string head, loads, stores;
  for (std::size_t k = 0; k < s.operands.size(); ++k) {
    if (k == s.constant) continue;
    head += ", in " + named("s", k) + ": " + column_type(s.operands[k]) + "[]";
    loads += from_column(s.operands[k], named("s", k) + "[%gtid]", named("%s", k));
  }
  for (std::size_t k = 0; k < s.results.size(); ++k) {
    head += ", inout " + named("d", k) + ": " + column_type(s.results[k]) + "[]";
    stores += to_column(s.results[k], named("d", k) + "[%gtid]", named("%d", k));
  }
  if (i.row->lift == Lift::Match) loads += "  .reg .b32 %d0;\n";  // a set of lanes, as wide as PTX has it
  const bool shared = acts_on_shared(i);
  if (acts_on_memory(i) && !shared) head += ", inout m: b64[]";
  std::string text = ".kernel k (" + head.substr(2) + ")\n";
  if (shared) text += ".shared b64 tile[" + std::to_string(4 * kBlockThreads) + "]\n";
  return text + loads + instruction(i, s, constant, Language::Program) + stores + "  exit\n";
}

}  // namespace warpsim::rows
