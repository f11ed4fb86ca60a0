// What the explanation of a wrong answer is put together from.
//
// Shapes: elements of inputs are sorted. A stored element is the last store to it.
// Errors: none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "traces/explain/wrong_answer.h"
#include "traces/replay/dataflow.h"

namespace warpsim::wrong {

using Inputs = std::set<InputElement>;

struct Element {  // of an output
  std::int32_t param = -1;
  std::size_t index = 0;
};

struct Stored {
  std::size_t event = 0;
  unsigned lane = 0, element = 0;
};

// The thread whose number the element has; nothing in a launch of several dimensions, or if there is none.
struct Thread {
  std::uint32_t block = 0, warp = 0;
  unsigned lane = 0;
  auto operator<=>(const Thread&) const = default;  // NOLINT(modernize-use-nullptr)
};
std::optional<Thread> thread_of(const TraceHead& head, std::size_t number);
std::optional<std::size_t> number_of(const TraceHead& head, const Thread& thread);

// Every store to the output, in order, each with the element that it is to.
std::vector<std::pair<Stored, std::size_t>> stores_to(const Trace& trace, std::int32_t param);

// ---- which inputs
// What the elements, one an output, are expected to depend on. Inputs that are likely to matter are tried first.
using Elements = std::map<std::string, std::size_t, std::less<>>;  // by output
struct Dependence {
  std::map<std::string, Inputs, std::less<>> on;  // by output
  Inputs tried;                                   // with every value that there is to try
};
Dependence dependence_of(const Trace& trace, const Expected& expected, const Elements& elements,
                         const std::vector<InputElement>& likely);

// Those of `wanted` that cannot have reached the lane by this event: neither it nor any lane whose values reached it
// had loaded them. Looks at up to 64 of `wanted`.
Inputs never_heard(const Trace& trace, const Stored& at, const Inputs& wanted);

// How often each input goes into the value; empty where an operation does not care (min, max, and, or).
std::map<InputElement, std::uint64_t> times_in(const Trace& trace, const Dataflow& flow, const FlowValue& value);

// The lanes of the warp that load one of the inputs, and the first event that does.
struct Loaders {
  LaneMask lanes = 0;
  std::vector<std::pair<std::size_t, unsigned>> events;  // with the lane
  Inputs by_nobody;                                      // no thread at all loads these
  Inputs elsewhere;                                      // other warps alone do
};
Loaders loaders_of(const Trace& trace, const Stored& at, const Inputs& inputs);

// ---- in terms of shuffles
// Why the lane cannot hear of the other by the warp's shuffles up to that event: "lane 0 is 17 = 16 + 1 lanes below it,
// and no shfl.up moves by 1: they move by 2, 4, 8, 16". "" if that cannot be seen.
struct ShuffleReason {
  Message text, hint;
  std::int32_t pc = -1;  // of such a shuffle
};
ShuffleReason shuffle_reason(const Trace& trace, const Stored& at, unsigned other);
// A power of two that the warp's offsets leave out: below their largest, or the only one that is missing below the lane
// count. 1 of 2, 4, 8.
ShuffleReason missing_offset(const Trace& trace, const Stored& at);

// ---- words
// "1, 3, 5, 7 …: all odd ones"
Message which_ones(const std::vector<std::size_t>& wrong, std::size_t of);
std::string number_list(const std::vector<std::size_t>& numbers, std::size_t most);

}  // namespace warpsim::wrong
