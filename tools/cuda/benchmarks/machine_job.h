// A clocked kernel as a GPU is given it: machine code, a launch and its memory; and the file that carries many of them
// to a machine that has nothing but a driver.
//
// Shapes: a job's clocks are its buffers `clock_begin` and `clock_end`: one of u32 a warp or a thread. A job of several
//         blocks has `clock_sm`, too: the multiprocessor, as clocks of different ones are not compared. Parameters are
// the
//         bytes of the launch, with the buffers' addresses at their offsets. Buffers keep their distances, modulo lines
//         of memory, where they are small; what a launch reads only and is large is there once for all launches.
// Units:  bytes; cycles.
// Errors: sentences.
// Source: clock_job.h; CUDA driver API 13.0.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tools/cuda/benchmarks/clock_job.h"

namespace warpsim {

using Contents = std::shared_ptr<const std::string>;

struct JobBuffer {
  std::string name;
  std::uint64_t address = 0;  // the simulator's
  std::uint32_t param_offset = 0;
  Contents before, after;  // after: what the simulator's run leaves; the same one if it leaves it alone
  bool is_clock() const { return name == "clock_begin" || name == "clock_end" || name == "clock_sm"; }
  bool is_read_only() const { return before == after && !is_clock(); }
};

struct MachineJob {
  std::string name, cls;
  KernelSet set = KernelSet::Calibration;
  unsigned warps = 1, passes = 1;
  bool cold = false, whole = false,
       may_differ = false;  // whole: clocks by thread; may_differ: outputs of no fixed order
  std::string source;       // the hash of the PTX, or of the CUDA text
  std::string entry;
  Contents code;  // a cubin
  Dim3 grid{1, 1, 1}, block;
  std::uint32_t shared_bytes = 0;  // dynamic
  std::string params;
  std::vector<JobBuffer> buffers;
};

// Without machine code. What the simulator says if it cannot run it.
std::variant<MachineJob, std::string> machine_job(const ClockJob& job);

// Where the buffers stand on a GPU, in bytes from the start of the memory that all launches have together: those of
// launch k behind those of launch k - 1, and behind them all what they share.
struct JobPlaces {
  struct Place {
    const JobBuffer* buffer = nullptr;
    bool is_shared = false;
    std::uint64_t offset = 0;  // in a launch's place, or from the start
  };
  std::vector<Place> buffers;  // in the job's order
  std::uint64_t stride = 0, size = 0;

  JobPlaces(const MachineJob& job, std::uint64_t launches);
  std::uint64_t at(const Place& place, std::uint64_t launch) const {
    return place.is_shared ? place.offset : launch * stride + place.offset;
  }
};

// By warp of the grid, since the first warp's begin on its multiprocessor; kNoClock: it has none.
inline constexpr std::uint32_t kNoClock = ~std::uint32_t{0};
struct WarpClocks {
  std::vector<std::uint32_t> begin, end;
  std::uint64_t cycles() const;  // from the first begin to the last end, of the multiprocessor where that is most
};
// What the buffers hold; `sm` is empty where all warps have one multiprocessor.
WarpClocks warp_clocks(const MachineJob& job, std::string_view begin, std::string_view end, std::string_view sm = {});

// Jobs as bytes and back: a text that begins with kJobsMagic; contents that several share stand there once.
std::string pack_jobs(const std::vector<MachineJob>& jobs);
std::variant<std::vector<MachineJob>, std::string> unpack_jobs(std::string_view bytes);

}  // namespace warpsim
