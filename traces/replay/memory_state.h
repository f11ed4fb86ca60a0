// What every buffer and every shared array holds at each event, rebuilt from the trace.
//
// Shapes: apply() the events in order; between two of them the state is what memory held there. Bytes, so that an
//         access of another width than the array's elements is right too.
// Units:  bits of an element, zero-extended; `undefined` lists elements, in rising order.
// Errors: none: a reader has checked the trace; an access outside its object changes nothing.
// Source: traces/FORMAT.md, "Rebuilding the state".
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/model/trace.h"
#include "traces/template/phase_template.h"

namespace warpsim {

class TraceMemoryState {
 public:
  TraceMemoryState() = default;
  explicit TraceMemoryState(const TraceHead& head);  // with a window's start

  void apply(const TraceEvent& event);

  struct Elements {
    Array values;
    std::vector<std::uint64_t> undefined;
  };
  Elements buffer(std::size_t param) const;
  Elements shared(std::uint32_t block, std::size_t object) const;
  // Where a shared array begins in its block's shared memory, in bytes.
  std::uint64_t shared_base(std::size_t object) const { return shared_bases_[object]; }
  // One element of a buffer or a shared array, by name; Missing if there is none.
  TemplateValue element(std::string_view name, std::int64_t index, std::uint32_t block) const;
  // What has been written since the run began.
  std::vector<std::size_t> written_buffers() const;
  std::vector<std::pair<std::uint32_t, std::size_t>> written_shared() const;  // block, object

 private:
  struct Bytes {
    std::vector<std::uint8_t> data;
    std::vector<bool> undefined;
  };
  using SharedKey = std::pair<std::uint32_t, std::size_t>;  // block, object

  Bytes initial_buffer(std::size_t param) const;
  Bytes initial_shared(std::size_t object) const;
  Bytes& touch(const TraceEvent& event, std::size_t object, std::uint64_t& base);

  std::vector<TraceParam> params_;
  std::vector<TraceShared> shared_arrays_;
  std::vector<std::uint64_t> shared_bases_;
  std::vector<Array> inputs_;  // by parameter; empty where a buffer starts as zeros
  std::map<std::size_t, Bytes> buffers_;
  std::map<SharedKey, Bytes> shared_;
};

}  // namespace warpsim
