// A timed run of machine code → the events of its trace.
//
// Shapes: a CodeSink. Of an instruction the trace has the registers that it writes, what it accesses, which lanes a
//         shuffle reads, where lanes go, and what the warp waited for. Events come in the order of cycle, block, warp:
//         those of a cycle when the next one begins, or at finish().
// Units:  as trace.h.
// Errors: none: it reads and never steers.
// Source: traces/FORMAT.md. Of an atomic that gives nothing back it is not known what it found, and of lanes that
//         change one place what each but the last leaves there: those values are marked undefined.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "isa/program/program.h"
#include "sim/sass/code_run.h"
#include "sim/timing/profile.h"
#include "traces/model/trace.h"

namespace warpsim {

class CodeRecorder : public sass::CodeSink {
 public:
  // `head` is a code_head(); the others, which must outlive the recorder, are what the launch was made of.
  CodeRecorder(const TraceHead& head, const Program& program, const DeviceMemory& memory, const TimingProfile& profile,
               TraceConsumer consumer);

  void on_issue(const sass::CodeIssue& issue) override;
  void finish();

 private:
  struct Known {
    enum class Kind : std::uint8_t { Wide, Uniform, Predicate } kind = Kind::Wide;
    unsigned number = 0;  // of its kind; of a predicate among a machine's
  };
  struct Held {  // by a warp, behind its last event
    std::uint32_t block = 0;
    std::vector<std::uint32_t> bits;  // [register * lanes + lane]
  };
  // What a trace has a name for.
  struct Named {
    AddressSpace space = AddressSpace::Global;
    std::int32_t index = 0;
    Type type = Type::None;
    std::uint64_t address = 0, bytes = 0;
  };

  sass::Lanes lanes_written(const Known& known, const sass::CodeStep& step) const;
  std::uint32_t bits(const Known& known, unsigned lane, const sass::CodeIssue& issue) const;
  std::int32_t between(std::int32_t one, std::int32_t other) const;
  void note_named(const Program& program);
  void add_writes(TraceEvent& event, const sass::CodeIssue& issue);
  void add_exchange(TraceEvent& event, const sass::CodeIssue& issue, const sass::Instruction& insn,
                    ShuffleMode mode) const;
  std::uint32_t held_before(const sass::CodeIssue& issue, std::size_t reg, unsigned lane) const;
  void add_masks(TraceEvent& event, const sass::CodeStep& step, const sass::Instruction& insn) const;
  void add_memory(TraceEvent& event, const sass::CodeIssue& issue, const sass::Instruction& insn) const;
  void add_values(TraceMemory& memory, const sass::CodeIssue& issue, const sass::Instruction& insn) const;
  void add_atomic(TraceMemory& memory) const;
  void name_elements(TraceMemory& memory) const;
  void add_stalls(TraceEvent& event, const sass::CodeIssue& issue) const;

  TraceHead head_;
  const DeviceMemory& memory_;
  const TimingProfile& profile_;
  TraceConsumer consumer_;
  struct Touched {  // places in the head of registers
    std::set<std::int32_t> written, read;
  };
  std::vector<Known> registers_;  // by place in the head
  std::vector<Touched> touched_;  // by instruction
  std::vector<Named> named_;
  std::map<std::uint32_t, Held> held_;  // by the machine's warp
  std::vector<TraceEvent> cycle_;       // the events of the last one
};

}  // namespace warpsim
