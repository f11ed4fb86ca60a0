// Looking things up in a program by name.
//
// Shapes: programs are small, so these are plain searches; nothing that runs per lane or per cycle calls them.
// Errors: nullptr or -1 where there is no such name.
#include <algorithm>
#include <cstddef>

#include "isa/program/lesson.h"

namespace warpsim {
namespace {

template <class T>
std::int32_t index_by_name(const std::vector<T>& items, std::string_view name) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].name == name) return static_cast<std::int32_t>(i);
  }
  return -1;
}

}  // namespace

const Case* Lesson::find_case(std::string_view case_name) const {
  const std::int32_t i = index_by_name(cases, case_name);
  return i < 0 ? nullptr : &cases[static_cast<std::size_t>(i)];
}
bool Program::allows(Finding finding) const {
  return std::any_of(allowances.begin(), allowances.end(),
                     [finding](const Allowance& one) { return one.code == finding; });
}

const Routine* Program::routine_at(std::int32_t pc) const {
  const auto behind = std::upper_bound(routines.begin(), routines.end(), pc,
                                       [](std::int32_t at, const Routine& r) { return at < r.first; });
  return behind == routines.begin() ? nullptr : &*(behind - 1);
}

bool Program::launches_kernels() const {
  return std::any_of(code.begin(), code.end(), [](const Insn& insn) { return insn.op == Op::CallRuntime; });
}

std::vector<Object> Program::objects_of_launch(std::int32_t routine) const {
  std::vector<Object> made = objects;
  const auto kernels = std::count_if(routines.begin(), routines.end(), [](const Routine& r) { return r.is_kernel; });
  if (kernels < 2) return made;
  std::vector<bool> named(objects.size(), false);
  std::vector<const Routine*> todo{routine < 0 ? &routines.back() : &routines[static_cast<std::size_t>(routine)]};
  const auto add = [&todo](const Routine* one) {
    if (std::find(todo.begin(), todo.end(), one) == todo.end()) todo.push_back(one);
  };
  for (std::size_t k = 0; k < todo.size(); ++k)
    for (std::int32_t pc = todo[k]->first; pc < todo[k]->end; ++pc) {
      const Insn& insn = code[static_cast<std::size_t>(pc)];
      for (const Operand& o : insn.operands) {
        if (o.object >= 0) named[static_cast<std::size_t>(o.object)] = true;
        if (insn.op == Op::Call && o.kind == Operand::Kind::Label) add(routine_at(o.target));
      }
      for (const Routine& one : routines)
        if (insn.op == Op::CallPointer && !one.is_kernel) add(&one);
    }
  for (const Param& p : params)
    for (const InitialAddress& one : p.addresses)
      if (one.of == InitialAddress::Of::Shared) named[static_cast<std::size_t>(one.index)] = true;
  for (std::size_t k = 0; k < made.size(); ++k)
    if (!named[k]) made[k].length = ConstExpr::number(0);
  return made;
}

Program::Held Program::held_in(AddressSpace space, std::int32_t index) const {
  const std::size_t k = static_cast<std::size_t>(index);
  if (space != AddressSpace::Shared && space != AddressSpace::Local) return {params[k].name, params[k].type};
  const Object& object = (space == AddressSpace::Shared ? objects : locals)[k];
  return {object.name, object.type};
}

std::string Program::element_name(AddressSpace space, std::int32_t index, std::int64_t element) const {
  return held_in(space, index).name + "[" + std::to_string(element) + "]";
}

const Exemption* Program::exemption_at(unsigned lanes) const {
  for (const Exemption& one : exemptions) {
    if (std::find(one.lanes.begin(), one.lanes.end(), lanes) != one.lanes.end()) return &one;
  }
  return nullptr;
}
std::int32_t Function::find_param(std::string_view param_name) const { return index_by_name(params, param_name); }
std::int32_t Function::find_register(std::string_view reg_name) const { return index_by_name(registers, reg_name); }

std::int32_t Lesson::phase_of(std::int32_t pc) const {
  const auto after = std::upper_bound(phases.begin(), phases.end(), pc,
                                      [](std::int32_t at, const Phase& phase) { return at < phase.first_pc; });
  return static_cast<std::int32_t>(after - phases.begin()) - 1;
}

namespace {

// What the CUDA toolkit or the system brings, which nobody who uses it would fix.
bool is_of_the_compiler(std::string_view file) {
  const std::size_t targets = file.find("/targets/");
  const std::size_t versioned = file.find("/cuda-");  // "/usr/local/cuda-13.0/include/cccl/…"
  return (targets != std::string_view::npos && file.find("/include/", targets) != std::string_view::npos) ||
         (versioned != std::string_view::npos && file.find("/include/", versioned) != std::string_view::npos) ||
         file.starts_with("/usr/include/") || file.find("/cuda/include/") != std::string_view::npos ||
         file.find("/include/cccl/") != std::string_view::npos;
}

}  // namespace

bool Program::is_of_the_toolkit(const SourcePlace& place) const { return is_of_the_compiler(source(place.where).name); }

const SourcePlace* Program::source_at(std::int32_t pc) const {
  if (pc < 0 || static_cast<std::size_t>(pc) >= code.size()) return nullptr;
  const std::int32_t own = code[static_cast<std::size_t>(pc)].source;
  for (std::int32_t at = own; at >= 0; at = sources[static_cast<std::size_t>(at)].inlined_at) {
    const SourcePlace& place = sources[static_cast<std::size_t>(at)];
    if (!is_of_the_toolkit(place)) return &place;
  }
  return own < 0 ? nullptr : &sources[static_cast<std::size_t>(own)];
}

SourceRange Program::place(std::int32_t pc) const {
  if (const SourcePlace* const found = source_at(pc)) return found->where;
  return pc < 0 || static_cast<std::size_t>(pc) >= code.size() ? SourceRange{}
                                                               : code[static_cast<std::size_t>(pc)].where;
}

std::string Program::line(std::int32_t pc) const { return line_of(place(pc)); }

std::string Program::line_of(const SourceRange& at) const {
  if (sources.empty() && module->texts < 2) return std::to_string(at.line);
  const std::string& file = source(at).name;
  return without_folder(file) + ":" + std::to_string(at.line);
}

std::string_view Program::variable_in(std::int32_t reg, std::int32_t pc) const {
  for (const std::int32_t at : {pc + 1, pc})
    for (const SourceVariable& one : variables)
      if (one.reg == reg && one.first <= at && at < one.end) return one.name;
  return "";
}

std::vector<const SourcePlace*> Program::frames(std::int32_t pc) const {
  std::vector<const SourcePlace*> all;
  if (pc < 0 || static_cast<std::size_t>(pc) >= code.size()) return all;
  for (std::int32_t at = code[static_cast<std::size_t>(pc)].source; at >= 0;
       at = sources[static_cast<std::size_t>(at)].inlined_at)
    all.push_back(&sources[static_cast<std::size_t>(at)]);
  return all;
}

const SourceFile& Program::source(const SourceRange& place) const {
  static const SourceFile kNone;
  return place.file < module->files.size() ? module->files[place.file] : kNone;
}

std::string_view name(Param::Kind kind) {
  switch (kind) {
    case Param::Kind::In: return "in";
    case Param::Kind::Out: return "out";
    case Param::Kind::InOut: return "inout";
    case Param::Kind::Scalar: return "param";
  }
  return "";
}

void place_params(std::vector<Param>& params) {
  std::uint32_t end = 0;
  for (Param& p : params) {
    if (p.is_variable) continue;
    const std::uint32_t size = p.size_bytes(), alignment = p.value_bytes != 0 ? p.alignment_bytes : size;
    p.offset_bytes = static_cast<std::uint32_t>(aligned(end, alignment));
    end = p.offset_bytes + size;
  }
}

std::vector<std::uint64_t> shared_offsets(const std::vector<Object>& objects, unsigned lanes) {
  std::vector<std::uint64_t> offsets;
  std::uint64_t end = 0;
  std::uint64_t dynamic_alignment = 1;
  for (const Object& o : objects) {
    offsets.push_back(0);
    if (o.space != AddressSpace::Shared) continue;
    if (o.is_dynamic) {
      dynamic_alignment = std::max(dynamic_alignment, o.alignment());
      continue;
    }
    offsets.back() = aligned(end, o.alignment());
    end = offsets.back() + static_cast<std::uint64_t>(bytes(o.type)) *
                               static_cast<std::uint64_t>(std::max<std::int64_t>(0, o.length.evaluate(lanes)));
  }
  end = aligned(end, dynamic_alignment);
  for (std::size_t k = 0; k < objects.size(); ++k)
    if (objects[k].is_dynamic) offsets[k] = end;
  offsets.push_back(end);
  return offsets;
}

}  // namespace warpsim
