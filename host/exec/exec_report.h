// What the libraries in a program find, for people at once or as records for `warpsim exec`.
//
// Shapes: a record is a line of JSON, appended to a file in one write, so that several processes share it:
//           {"is": "finding", "code", "severity", "kernel", "launch", "file", "line", "column", "message", "hint",
//            "block", "warp", "cycle", "lanes", "trap", "text", "calls", "number", "first_cycle"}
//           {"is": "host", "code", "severity", "message", "calls": [{"what", "frames": [{"file", "offset",
//           "symbol"}]}]}
//           {"is": "timing", "launch", "kernel", "grid", "block", "cycles", "ns", "instructions", "sms", "issued",
//            "stalls": {reason: cycles of warps}, "warps_an_sm", "of_warps", "limit", "ended", "timed_by",
//            "why_not_machine_code", "ptx_cycles", "calls"}
//         "timed_by" is "machine code" or "PTX", whose the numbers are; without it only the PTX was asked for.
//           {"is": "message", "text"}
//         Without a file the text goes to standard error.
// Units:  cycles; "ns" are nanoseconds at the device's clock.
// Errors: what cannot be written is lost.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/device/device.h"
#include "host/exec/call_stack.h"
#include "isa/table/findings.h"

namespace warpsim::host {

// Calls of the host: "in cudaFree", "allocated by cudaMalloc".
using HostCalls = std::vector<std::pair<std::string, CallStack>>;

// Something that the host does wrong.
struct HostFinding {
  Finding code{};
  std::string message;  // one sentence, without its full stop
  HostCalls calls;
};

class ExecReport {
 public:
  explicit ExecReport(const std::string& file);
  ExecReport(const ExecReport&) = delete;
  ExecReport& operator=(const ExecReport&) = delete;
  ~ExecReport();

  // `number` of the kernel's launches.
  void add(const Report& finding, std::uint64_t number, const HostCalls& calls);
  void add(const HostFinding& finding);
  // Of a timed launch. Without a file nothing is timed.
  void add(const LaunchStatistics& timed, double gigahertz, const CallStack& launched);
  void say(std::string_view text);

 private:
  void write(std::string line) const;
  int file_ = -1;  // -1: standard error, as text
};

// As people read it; `place` names a frame.
std::string draw_host_finding(Finding code, std::string_view message,
                              const std::vector<std::pair<std::string, std::vector<std::string>>>& calls);
// "main, app+0x12a4"
std::string name(const Frame& frame);

}  // namespace warpsim::host
