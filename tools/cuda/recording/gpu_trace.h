// What the threads of a recording kernel wrote down → a trace.
//
// Shapes: the trace is that of the program with its collectives expanded: what ran. Hardware gives no order across
//         lanes, so one is made: of each warp, the lanes at the lowest pc go first, together; warps take
//         turns, and wait for each other at barriers. Cycles are empty. Atomics have no memory member: what memory held
//         between the turns of two lanes cannot be seen.
// Units:  as trace.h.
// Errors: a log that holds what no kernel writes is nobody's input: WARPSIM_CHECK.
// Source: isa/ptx_writer/ptx_writer.h, ptx_record.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/program/lesson.h"
#include "sim/machine/machine.h"
#include "traces/model/trace.h"

namespace warpsim {

struct GpuLog {
  std::vector<std::uint64_t> words;
  std::uint32_t words_a_thread = 0;
  std::uint64_t threads_a_block = 0;  // of the hardware
  // How many words the longest thread wanted to write: more than there were if the log is cut off.
  std::uint64_t wanted() const;
};

struct GpuOutcome {
  const Lesson* lesson = nullptr;  // what is taught with the machine's program
  std::string device;              // "NVIDIA H200"
  std::string case_name;           // "" if none
  std::map<std::string, Array, std::less<>> buffers, expected;
};

// The trace without events, for `run`.
Trace gpu_result(const Machine& machine, const GpuOutcome& outcome);
Trace gpu_trace(const Machine& machine, const GpuLog& log, const GpuOutcome& outcome);

}  // namespace warpsim
