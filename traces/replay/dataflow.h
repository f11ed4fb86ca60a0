// Where a value came from: backwards from one lane's register to the input elements, through shuffles and memory.
//
// Shapes: flow_of() says of one instruction which registers it reads for what, from its row of the instruction table
//         alone. Dataflow joins that to what a trace's events did: exchanges say which lane a value came from,
//         addresses which store a load saw. A FlowValue is what one event left in one register of one lane, or in
//         memory.
// Units:  events by number from 0; lanes; elements of buffers.
// Errors: none: what a trace does not record has no source.
// Source: isa/table/instructions.def; traces/FORMAT.md, "Events".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/table/op.h"
#include "traces/model/instruction_texts.h"
#include "traces/model/trace.h"

namespace warpsim {

// What moves values, as far as the walk and the drawings distinguish it. A broadcast counts as a Shuffle.
enum class FlowKind : std::uint8_t {
  Own,
  Load,
  Store,
  Atomic,
  Shuffle,
  Vote,
  Match,
  Reduce,
  Scan,
  Barrier,
  BlockReduce
};
std::string_view name(FlowKind kind);  // "scan"; "" for what stays on its own lane

struct InsnFlow {
  FlowKind kind = FlowKind::Own;
  bool exclusive = false;              // a scan without the lane's own value
  bool overwrites = false;             // an atomic whose result does not depend on what it finds
  std::string guard;                   // "%p"; "" if there is none
  bool negated = false;                // @!%p
  std::vector<std::string> value;      // read on the own lane; a predicate that chooses between values is one of them
  std::vector<std::string> exchanged;  // read on other lanes: by shuffles, votes, matches, reductions, scans
  std::vector<std::string> address;    // where it reads or writes: indices, source lanes, widths, member masks
  std::vector<std::string> writes;
  std::string members;  // the member mask as written: "0xff", "%m"; "" if left out
};
// Each register once a list, in the order of the operands. Empty if there is no such pc.
InsnFlow flow_of(const TraceHead& head, std::int32_t pc);

struct FlowValue {
  std::size_t event = 0;
  unsigned lane = 0;
  std::int32_t reg = -1;  // -1: in memory
  unsigned element = 0;   // in memory: of a vector
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 for a pointer in what the compiler makes of it
  auto operator<=>(const FlowValue&) const = default;
};

struct InputElement {
  std::int32_t param = 0;
  std::int64_t index = 0;
  auto operator<=>(const InputElement&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct FlowSource {
  enum class Kind : std::uint8_t {
    Value,      // what an event left: `value`
    Input,      // an element of a buffer that nothing has stored to: `input`
    Undefined,  // a register or shared memory that was never written, or a lane that did not participate
    Before,     // what a window found when it began: a register, or memory that was stored to before
  };
  Kind kind = Kind::Value;
  FlowValue value;
  InputElement input;
  std::int32_t reg = -1;  // that was read; -1: memory
  unsigned lane = 0;      // on which lane
};

class Dataflow {
 public:
  explicit Dataflow(const Trace& trace);  // which must outlive this

  // What the register of the lane holds after the first `count` events came from; empty: never written.
  std::optional<FlowValue> definition(std::size_t count, std::uint32_t block, std::uint32_t warp, std::int32_t reg,
                                      unsigned lane) const;
  // One step back. None: it was computed from constants, parameters and special registers alone.
  std::vector<FlowSource> sources(const FlowValue& value) const;
  // All that it came from, itself first, later events before earlier ones, each once.
  std::vector<FlowValue> slice(const FlowValue& value) const;
  // The input elements that it was computed from, in rising order. Addresses and guards do not count.
  std::vector<InputElement> contributions(const FlowValue& value) const;

 private:
  struct Operands {  // an instruction's registers, by number
    FlowKind kind = FlowKind::Own;
    bool finds_memory = false;  // its result is what it finds there, whether or not the trace says what that was
    std::vector<std::int32_t> value, exchanged, writes;
    std::vector<std::int32_t> elements;          // of a vector, in order; of machine code an element may be two of them
    std::int32_t members_reg = -1;               // that holds the member mask …
    LaneMask members = ~LaneMask{0};             // … or the mask itself
    bool exclusive = false, overwrites = false;  // as in InsnFlow
  };
  struct Writer {
    std::size_t event;
    std::uint8_t lane, element;
  };
  struct Walk {
    std::vector<FlowValue> values;
    std::vector<InputElement> inputs;
  };
  using Bytes = std::unordered_map<std::uint64_t, std::vector<Writer>>;  // by address, in order

  static Operands operands_of(const TraceHead& head, std::int32_t pc);
  void index_memory(std::size_t event);
  Walk walk(const FlowValue& value) const;
  const Operands& operands(std::size_t event) const;
  bool found_in_memory(const TraceEvent& event, const TraceMemory& memory, std::size_t place) const;  // by a window
  void add_register(std::vector<FlowSource>& list, std::size_t event, std::int32_t reg, unsigned lane) const;
  void add_memory(std::vector<FlowSource>& list, std::size_t event, const TraceMemory& memory, unsigned lane,
                  unsigned element) const;
  void add_copied(std::vector<FlowSource>& list, const FlowValue& value) const;
  void add_exchanged(std::vector<FlowSource>& list, std::size_t event, unsigned lane) const;
  void add_arrivals(std::vector<FlowSource>& list, std::size_t event, unsigned lane) const;
  LaneMask members(std::size_t event, unsigned lane) const;
  const Bytes* bytes_of(const TraceEvent& event, const TraceMemory& memory) const;

  const Trace& trace_;
  std::vector<Operands> code_;  // by pc
  // The events that write a register of a warp, in order.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int32_t>, std::vector<std::size_t>> writers_;
  Bytes global_;
  std::map<std::uint32_t, Bytes> shared_;  // by block
};

// "0..7, 12", with the buffer's name before where the program reads from several: "a[0..7], b[3]".
std::string element_ranges(const TraceHead& head, const std::vector<InputElement>& elements);

}  // namespace warpsim
