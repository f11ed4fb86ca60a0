#include "tools/cycles/captured_cycles.h"

#include <variant>

#include "isa/text/number_text.h"
#include "tools/cuda/recording/capture.h"
#include "tools/cycles/cycle_scores.h"

namespace warpsim::tools {

std::string captured_cycles_text();  // captured_cycles.cpp.in

const CycleCapture& captured_cycles() {
  static const CycleCapture capture = [] {
    auto read = read_cycle_capture(captured_cycles_text());
    CycleCapture* const good = std::get_if<CycleCapture>(&read);
    return good == nullptr ? CycleCapture{} : std::move(*good);
  }();
  return capture;
}

const CapturedCycles* captured_cycles_of(const ClockJob& job) {
  const auto found = captured_cycles().kernels.find(job.name);
  if (found == captured_cycles().kernels.end() || found->second.ptx != hash_of(job.ptx)) return nullptr;
  return &found->second;
}

CodeVerdict code_of(const ClockJob& job, const CapturedCycles& captured) {
  const std::vector<std::string> opcodes = unpack_opcodes(captured.code);
  return compare_code(job.clocked.program, job.clocked.first, job.clocked.last, opcodes);
}

std::string why_not_comparable(const ClockJob& job, const CapturedCycles& captured) {
  const CodeVerdict code = code_of(job, captured);
  switch (code.kind) {
    case CodeVerdict::Kind::Same:
      return captured.median >= kFewestCycles ? "" : "too short to be compared: " + counted(captured.median, "cycle");
    case CodeVerdict::Kind::Reordered: return "its machine code has the program's instructions in another order";
    case CodeVerdict::Kind::Differs: return "its machine code has other instructions than the program";
    case CodeVerdict::Kind::Unknown: break;
  }
  return "nobody knows its machine code";
}

}  // namespace warpsim::tools
