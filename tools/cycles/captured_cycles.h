// The cycles measured on the H200 that are built in: traces/captures/h200/cycles.json.
//
// Shapes: the capture lives as long as the process.
// Units:  cycles of the measured regions.
// Errors: none: CMake puts the file in, and a test reads it.
// Source: `warpsim crosscheck --cycles --record`; traces/captures/README.md.
#pragma once

#include <string>

#include "tools/cuda/benchmarks/clock_job.h"
#include "tools/cuda/benchmarks/machine_code.h"
#include "tools/cycles/cycle_capture.h"

namespace warpsim::tools {

const CycleCapture& captured_cycles();
// Of this job; null if it was not measured, or is another by now.
const CapturedCycles* captured_cycles_of(const ClockJob& job);
// Whether the machine code that was measured is the program's.
CodeVerdict code_of(const ClockJob& job, const CapturedCycles& captured);
// "" if the model's cycles can be compared with them: the machine code is the program's, and takes kFewestCycles. Else
// "too short to be compared: 4 cycles".
std::string why_not_comparable(const ClockJob& job, const CapturedCycles& captured);

}  // namespace warpsim::tools
