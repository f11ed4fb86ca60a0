// One opcode on the simulated machine: its program of row_kernels.h, assembled once, run over columns of operands.
//
// Shapes: every thread is a tuple. run() is the machine from load to store. run_lanes() is what the machine calls for
//         one instruction of a complete warp, its decoded handler, without the loads and stores around it: for long
//         sweeps. run_reference() is the same program on the second interpreter (tools/fuzz), which stands in for a GPU
//         in a self-test; it is slow.
// Units:  tuples; blocks have kBlockThreads threads.
// Errors: create() and the runs say why not: the assembler's first message, or the trap.
// Source: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/program/program.h"
#include "sim/code/decode.h"
#include "sim/launch/launch.h"
#include "tools/cuda/rows/row_instructions.h"
#include "tools/cuda/rows/row_operands.h"

namespace warpsim::rows {

class RowMachine {
 public:
  static std::optional<RowMachine> create(const Instruction& i, std::uint64_t constant, std::string& why);

  // Results of tuples first … first + count - 1 of the columns, written from there on; count is at most kRunTuples and
  // a multiple of kBlockThreads. Empty where all is well, else what stopped it.
  std::string run(const Columns& operands, std::size_t first, std::size_t count, Columns& results) const;
  bool has_lanes() const { return lanes_.has_value(); }  // where lanes compute alone and no carry flag takes part
  void run_lanes(const Columns& operands, std::size_t count, Columns& results) const;
  std::string run_reference(const Columns& operands, std::size_t first, std::size_t count, Columns& results) const;

  static constexpr std::size_t kRunTuples = 1 << 11;  // registers and buffers fit in a core's caches

 private:
  struct Lanes {
    Code code;
    std::size_t pc;
    std::vector<std::uint32_t> operands, results;  // rows; of an operand that is part of the instruction kNoOffset
  };

  Arguments arguments(const Columns& operands, std::size_t first, std::size_t count) const;
  std::optional<Lanes> find_lanes(const Instruction& i) const;

  Program program_;
  Signature signature_;
  std::optional<Lanes> lanes_;
};

}  // namespace warpsim::rows
