// What was heard: for every register of every lane, the set of inputs that its value was made from.
//
// A run shows numbers, and numbers can be right by accident: a maximum that never heard of lane 16 is right as long as
// the largest input is elsewhere. The set that a result has heard of is right or wrong whatever the inputs are.
//
// A load from an input begins a set with the one element that it reads; arithmetic, comparisons, votes and collectives
// unite; shuffles and broadcasts move sets between lanes; stores put them down where loads find them again, in global
// and in shared memory. What an instruction reads follows from slots(info(op).form).
//
// Follow::Values: only what goes into the value itself. A selection and an instruction under a guard take what they
// take, and why they took it does not count; neither does it count how an address or a source lane was found.
// Follow::Choices: those reasons count too: guards (also on the lanes that they switch off), selectors, source lanes,
// addresses.
// Branches count in neither: which path a lane took (control dependence) leaves no trace in what it computes there.
//
// Shapes: sets are sorted. An element of memory is tracked as a whole, by the number of its first access.
// Units:  indices count elements.
// Errors: none. What is undefined depends on no input; sim/check/undefined.h judges that.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "sim/event/observer.h"

namespace warpsim::testing {

// An element of an input buffer.
struct Source {
  std::int32_t param = -1;  // index into Program::params
  std::int64_t index = 0;
  auto operator<=>(const Source&) const = default;
};
using Sources = std::vector<Source>;  // sorted, each once

enum class Follow { Values, Choices };

class Heard : public EventSink {
 public:
  explicit Heard(Follow follow = Follow::Values) : follow_(follow) {}

  void on_start(const Machine& machine) override;
  void on_issue(const IssueEvent& event) override;
  void on_exchange(const ExchangeEvent& event) override;
  void on_memory(const MemoryEvent& event) override;
  void on_write(const WriteEvent& event) override;

  // By element: what was last stored there. Elements that were never stored to do not appear.
  const std::map<Source, Sources>& stored() const { return global_; }

 private:
  // What one instruction reads, worked out once.
  struct Reads {
    std::vector<std::int32_t> values;   // registers that go into the result, from the own lane
    std::vector<std::int32_t> choices;  // guard, selector, source lane, address
    std::int32_t carried = -1;          // a register of other lanes
    std::int32_t if_true = -1, if_false = -1, selector = -1;
    bool selects = false, selector_negated = false;
    std::vector<std::int32_t> written;
  };
  using Lanes = std::vector<Sources>;  // one set a lane
  struct WarpState {
    std::vector<Lanes> heard;     // by register
    std::vector<LaneMask> truth;  // by register: predicates
  };

  static Reads reads_of(const Insn& insn);
  WarpState& state(std::uint32_t block, std::uint32_t warp);
  const Sources& at(std::int32_t reg, unsigned lane) const;
  Sources united(std::int32_t reg, LaneMask lanes) const;

  Follow follow_;
  const Program* program_ = nullptr;
  unsigned lanes_ = 32;
  std::vector<Reads> all_reads_;  // by pc
  std::map<std::pair<std::uint32_t, std::uint32_t>, WarpState> warps_;
  std::map<Source, Sources> global_;                                   // what was stored
  std::map<std::pair<std::uint32_t, std::uint64_t>, Sources> shared_;  // by block and address

  // The instruction that is being reported.
  WarpState* current_ = nullptr;
  const Insn* insn_ = nullptr;
  const Reads* reads_ = nullptr;
  std::uint32_t block_ = 0;
  Lanes result_;
};

}  // namespace warpsim::testing
