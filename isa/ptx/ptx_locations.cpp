// See ptx_locations.h.
#include "isa/ptx/ptx_locations.h"

#include <algorithm>

#include "isa/ptx/ptx_summary.h"

namespace warpsim::ptx {

void Locations::add_files(std::vector<SourceFile>& files) {
  for (const auto& [number, name] : module_.files) {
    files_[number] = static_cast<std::uint32_t>(files.size());
    files.push_back({name, ""});
  }
}

void Locations::begin_function(std::string_view name) {
  function_ = short_name(name);
  seen_.clear();
}

std::string Locations::name_of(const Location& one) const {
  if (one.function.empty()) return function_;
  const auto found = module_.strings.find(one.function);
  return found == module_.strings.end()
             ? ""
             : short_name(found->second.substr(std::min<std::size_t>(found->second.size(), one.function_offset)));
}

// Where it was inlined: a .loc of that place stands before it. Where none does, the place is of this function.
std::int32_t Locations::outer_of(const Location& one, std::vector<SourcePlace>& sources) {
  const Point there{one.at_file, one.at_line, one.at_column};
  if (const auto known = seen_.find(there); known != seen_.end()) return known->second;
  Location outer;
  std::tie(outer.file, outer.line, outer.column) = there;
  return at(outer, sources);
}

std::int32_t Locations::at(const Location& one, std::vector<SourcePlace>& sources) {
  const auto file = files_.find(one.file);
  if (file == files_.end() || one.line == 0) return -1;
  SourcePlace place{{one.line, one.column, 1, file->second}, name_of(one), -1};
  if (!one.function.empty()) place.inlined_at = outer_of(one, sources);
  const Point here{one.file, one.line, one.column};
  const auto [known, is_new] =
      made_.try_emplace({here, place.function, place.inlined_at}, static_cast<std::int32_t>(sources.size()));
  if (is_new) sources.push_back(std::move(place));
  seen_[here] = known->second;
  return known->second;
}

}  // namespace warpsim::ptx
