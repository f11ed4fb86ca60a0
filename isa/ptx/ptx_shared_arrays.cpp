// See ptx_shared_arrays.h.
#include "isa/ptx/ptx_shared_arrays.h"

#include <algorithm>
#include <string>

#include "isa/ptx/ptx_summary.h"

namespace warpsim::ptx {
namespace {

bool accesses_shared(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  if (row.lift != Lift::Load && row.lift != Lift::Store && row.lift != Lift::Atomic) return false;
  const AddressSpace own = insn.mods.memory.space;
  return (own == AddressSpace::None ? row.space : own) == AddressSpace::Shared;
}

// What all accesses have in common: their type, of one width and several types a float before an integer before bits.
// None: they differ in width, or there are none.
Type common_type(const Program& program) {
  const auto rank = [](Type t) { return is_float(t) ? 2 : is_untyped(t) ? 0 : 1; };
  Type common = Type::None;
  for (const Insn& insn : program.code) {
    if (!accesses_shared(insn)) continue;
    if (common != Type::None && bits(common) != bits(insn.type)) return Type::None;
    if (common == Type::None || rank(insn.type) > rank(common)) common = insn.type;
  }
  return common;
}

// "tile" of "rev(float const*, float*)::tile"; "" where nothing is left that PTX would take for a name.
std::string name_in_source(const std::string& name) {
  const std::string whole = demangled(name);
  const std::size_t behind = whole.rfind("::");
  const std::string own = behind == std::string::npos ? "" : whole.substr(behind + 2);
  const bool is_name = std::all_of(own.begin(), own.end(), [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
  });
  return is_name ? own : "";
}

}  // namespace

void show_shared_arrays(Program& program) {
  const auto is_taken = [&program](const std::string& name) {
    const auto has_it = [&name](const auto& one) { return one.name == name; };
    return std::any_of(program.objects.begin(), program.objects.end(), has_it) ||
           std::any_of(program.params.begin(), program.params.end(), has_it);
  };
  const Type type = common_type(program);
  for (Object& one : program.objects) {
    if (std::string own = name_in_source(one.name); !own.empty() && !is_taken(own)) one.name = std::move(own);
    if (type == Type::None || one.type != Type::B8) continue;
    const std::int64_t size = one.length.evaluate(1), width = bytes(type);
    if (size % width != 0 || one.alignment() % static_cast<std::uint64_t>(width) != 0) continue;
    one.type = type;
    one.length = ConstExpr::number(size / width);
  }
}

}  // namespace warpsim::ptx
