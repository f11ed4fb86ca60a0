// What a GPU's clocks said of machine code, with that code, as a file.
//
// Shapes: one line a job (machine_jobs.h, sample_jobs.h); device, driver, compiler, day and command once. A job's hash
// says whether it
//         is still what was measured; its inputs and what it must leave are made anew. Code that several jobs share is
//         there once; all code is packed: lines of text, zstd, base64. That of samples, which others wrote, is not
//         there.
// Units:  cycles: WarpClocks::cycles().
// Errors: read_machine_capture() says what is wrong with a file, for a person.
// Source: traces/captures/README.md describes the file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "isa/sass/cubin.h"
#include "sim/timing/l2_map.h"
#include "tools/cuda/benchmarks/machine_job.h"

namespace warpsim::tools {

struct MeasuredCode {
  unsigned warps = 1;
  std::uint64_t median = 0, least = 0, most = 0;  // of the launches
  std::uint64_t first = 0;                        // the least of first launches; 0: not measured
  std::string job;                                // job_hash()
  std::string code;                               // the hash of its cubin
  unsigned place = 0;  // the launch that took least, whose memory the capture's L2 map has; 0: it is not known
};

struct MachineCapture {
  std::string device, driver, compiler, date, command;
  unsigned target = 0, launches = 0;
  std::map<std::string, sass::CodeSection> codes;  // by the cubins' hashes: what runs, without lines and names
  std::map<std::string, MeasuredCode> kernels;     // by name
  L2Map l2;  // of the memory of all launches, beyond its nearest piece; empty if it was not measured
};

// Of all that the GPU was given but the machine code: text, launch, inputs.
std::string job_hash(const MachineJob& job);

// The least cycles of first launches, of a job that the capture has. "" or why not.
std::string add_first(MachineCapture& capture, const MachineJob& job, const std::vector<std::uint64_t>& cycles);

// Adds a job with the cycles of its launches, and its code if it is not there yet. "" or why not: the cubin is damaged.
// `is_placed`: the launches' memory is what the capture's L2 map is of.
std::string add_measured(MachineCapture& capture, const MachineJob& job, std::vector<std::uint64_t> cycles,
                         bool is_placed = false);
// Sets the map by the cycles that loads took. What had a place on the map before has none any more.
void set_l2(MachineCapture& capture, L2Map cycles);

// As if the cubin were there.
sass::Cubin cubin_of(const MachineCapture& capture, const MeasuredCode& kernel, const std::string& entry);

std::string to_json(const MachineCapture& capture);
[[nodiscard]] std::variant<MachineCapture, std::string> read_machine_capture(std::string_view text);

// That of the H200 that is built in: traces/captures/h200/machine_code.json.
const MachineCapture& captured_machine_code();

}  // namespace warpsim::tools
