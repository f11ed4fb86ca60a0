#include "tools/cuda/benchmarks/grown_case.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/ptx_writer/ptx_writer.h"
#include "sim/check/checker.h"
#include "sim/machine/machine.h"

namespace warpsim {
namespace {

// Parameters that count threads, or what threads have.
constexpr std::array<std::string_view, 2> kGrowing = {"size", "tiles"};

// "" or what a run of it shows.
std::string what_is_wrong(const Lesson& program, const PreparedCase& prepared) {
  auto created = Machine::create(program, prepared.config, prepared.arguments);
  if (const LaunchError* error = std::get_if<LaunchError>(&created)) return error->message;
  Checker checker;
  EventSink* const sinks[] = {&checker};
  if (!std::get<Machine>(created).run(sinks).ok) return "its run traps";
  for (const RunFinding& finding : checker.found()) {
    const auto same = [&finding](const ExpectedFinding& expected) { return expected.code == finding.code; };
    if (std::none_of(prepared.findings.begin(), prepared.findings.end(), same)) return "it has findings";
  }
  return "";
}

class Growing {
 public:
  Growing(const Lesson& program, const Case& one, unsigned warps) : program_(program), one_(one), warps_(warps) {}
  std::variant<CaseOverrides, NotClocked> run();

 private:
  CaseOverrides larger(bool grows) const;
  bool repeat_inputs(CaseOverrides& overrides) const;
  bool is_clean(const CaseOverrides& overrides);

  const Lesson& program_;
  const Case& one_;
  unsigned warps_;
  PreparedCase base_;
  std::string why_;
};

CaseOverrides Growing::larger(bool grows) const {
  CaseOverrides overrides;
  overrides.lanes = kPtxLanes;
  overrides.grid = Dim3{1, 1, 1};
  overrides.block = Dim3{warps_ * kPtxLanes, 1, 1};
  const std::uint64_t block = base_.config.block.x == 0 ? kPtxLanes : base_.config.block.count();
  const std::uint64_t threads = base_.config.grid.count() * block;
  for (const std::string_view name : kGrowing) {
    const auto found = base_.arguments.scalars.find(name);
    if (!grows || found == base_.arguments.scalars.end()) continue;
    overrides.param_bits[std::string(name)] = found->second * warps_ * kPtxLanes / threads;
  }
  return overrides;
}

bool Growing::repeat_inputs(CaseOverrides& overrides) const {
  const auto sized = prepare_case(program_, one_, overrides);  // for the lengths
  const PreparedCase* const prepared = std::get_if<PreparedCase>(&sized);
  if (prepared == nullptr) return false;
  for (const Param& p : program_.params) {
    if (p.kind != Param::Kind::In && p.kind != Param::Kind::InOut) continue;
    const Array& from = base_.arguments.buffers.at(p.name);
    Array array = prepared->arguments.buffers.at(p.name);
    if (from.bits.empty()) return false;
    for (std::size_t k = 0; k < array.bits.size(); ++k) array.bits[k] = from.bits[k % from.bits.size()];
    overrides.input_arrays[p.name] = std::move(array);
  }
  return true;
}

bool Growing::is_clean(const CaseOverrides& overrides) {
  const auto prepared = prepare_case(program_, one_, overrides);
  const LaunchError* const error = std::get_if<LaunchError>(&prepared);
  why_ = error != nullptr ? error->message : what_is_wrong(program_, std::get<PreparedCase>(prepared));
  return why_.empty();
}

std::variant<CaseOverrides, NotClocked> Growing::run() {
  CaseOverrides as_it_is;
  as_it_is.lanes = kPtxLanes;
  auto prepared = prepare_case(program_, one_, as_it_is);
  if (const LaunchError* error = std::get_if<LaunchError>(&prepared)) return NotClocked{error->message};
  base_ = std::get<PreparedCase>(std::move(prepared));
  CaseOverrides repeated = larger(true);
  if (repeat_inputs(repeated) && is_clean(repeated)) return repeated;
  for (const bool grows : {true, false})
    if (const CaseOverrides by_rules = larger(grows); is_clean(by_rules)) return by_rules;
  return NotClocked{"with " + std::to_string(warps_) + " warps: " + why_};
}

}  // namespace

std::variant<CaseOverrides, NotClocked> grown_case(const Lesson& program, const Case& one, unsigned warps) {
  return Growing(program, one, warps).run();
}

}  // namespace warpsim
