// What the files of the reader share; private to traces/.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "traces/io/json_dom.h"
#include "traces/model/trace.h"

namespace warpsim {

inline constexpr std::size_t kMaxPc = 0x7FFFFFFF;
inline constexpr std::uint64_t kMaxSubCores = 1 << 20;  // of a GPU

// Names of the head, for look-ups.
struct HeadIndex {
  std::unordered_map<std::string, std::int32_t> registers, buffers, shared;
  std::uint64_t blocks = 1, warps_per_block = 1;
};

// Events are in the order in which they issue: by cycle, then block, then warp. In lockstep a warp issues once a
// cycle, by a profile it may do so more often, and what it says that it waited for fills the time between. Those from
// hardware have no cycles. Their number and last cycle are what the outcome says.
class EventOrder {
 public:
  void check(const TraceHead& head, const TraceEvent& event, const Node& node);
  void check_end(const TraceHead& head, const TraceOutcome& outcome, const Node& node) const;

 private:
  std::optional<TraceEvent> last_;  // its cycle, block and warp alone
  std::uint64_t events_ = 0;
  struct Warp {
    std::uint64_t cycle = 0;  // of its last instruction
    LaneMask exited = 0;
  };
  std::unordered_map<std::uint64_t, Warp> warps_;  // of a timed run, that have not ended
  void check_stalls(const TraceHead& head, const TraceEvent& event, const Node& node);
};

// A member that holds one of an enumeration's words; J006 lists them.
template <class Kind>
Kind read_word(const Node& node) {
  const std::optional<Kind> kind = parse_word<Kind>(node.text());
  if (!kind) node.fail("J006", "expected " + words_of<Kind>());
  return kind.value_or(Kind());
}

TraceHead read_head(const Node& root, HeadIndex& index);
Array read_elements(const Node& node, const TraceParam& param, std::vector<UndefinedElements>* undefined);
TraceStart read_start(const Node& node, const TraceHead& head, const HeadIndex& index);
TraceWrite read_write(const Node& node, const TraceHead& head, const HeadIndex& index);
TraceEvent read_event(const Node& node, const TraceHead& head, const HeadIndex& index);
TraceOutcome read_outcome(const Node& node, const TraceHead& head, const HeadIndex& index);
// All of a document; the last fault. `on_fault` is called at each and says whether to go on; without it the first ends
// it.
using FaultHandler = std::function<bool(const JsonError&)>;
std::optional<JsonError> read_document(const Json& json, const TraceConsumer& consumer,
                                       const FaultHandler& on_fault = nullptr);
// Buffers by name. Null elements are listed in `undefined`, or refused where it is null.
std::vector<std::pair<std::string, Array>> read_arrays(const Node& node, const TraceHead& head, const HeadIndex& index,
                                                       std::vector<UndefinedElements>* undefined);

}  // namespace warpsim
