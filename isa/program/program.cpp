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
    const std::uint32_t size = p.size_bytes();
    p.offset_bytes = (end + size - 1) / size * size;
    end = p.offset_bytes + size;
  }
}

std::vector<std::uint64_t> shared_offsets(const std::vector<Object>& objects, unsigned lanes) {
  std::vector<std::uint64_t> offsets;
  std::uint64_t end = 0;
  for (const Object& o : objects) {
    offsets.push_back(0);
    if (o.space != AddressSpace::Shared) continue;
    const std::uint64_t alignment = o.alignment();
    offsets.back() = (end + alignment - 1) / alignment * alignment;
    end = offsets.back() + static_cast<std::uint64_t>(bytes(o.type)) *
                               static_cast<std::uint64_t>(std::max<std::int64_t>(0, o.length.evaluate(lanes)));
  }
  offsets.push_back(end);
  return offsets;
}

}  // namespace warpsim
