// What runs random programs and says what came out: the simulator, the reference, a GPU. A fuzz compares two of them.
//
// Shapes: a Side takes many jobs at once, since a GPU compiles many programs in one module; the outcomes are in the
//         order of the jobs. `buffers` has every `out` and `inout` buffer of the program and no other.
// Units:  `instructions` counts those of warps.
// Errors: what stops one program is its outcome; a Side never throws and never ends the process.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program/program.h"
#include "sim/launch/launch.h"
#include "tools/fuzz/random/random_program.h"

namespace warpsim::fuzz {

using reference::RandomProgram;

struct Job {
  const RandomProgram* source = nullptr;
  Program program;
  LaunchConfig config;
  Arguments arguments;
};
// Assembles it; nothing, and `problem` says why, where that fails.
std::optional<Job> job_of(const RandomProgram& source, std::string& problem);

struct Outcome {
  bool stopped = false;  // by a trap, a fault, a refusal; then the buffers mean nothing
  std::string why;
  std::map<std::string, Array, std::less<>> buffers;
  std::uint64_t instructions = 0;  // 0 where nobody counted
};

class Side {
 public:
  virtual ~Side() = default;
  virtual std::string_view name() const = 0;  // as in "the reference has 0x1"
  virtual std::vector<Outcome> run(std::span<const Job* const> jobs) = 0;
  // False once nothing can run any more: then what is still asked for has stopped.
  virtual bool works() const { return true; }
};

// The first difference between two outcomes as one sentence, "" if there is none. That ours stops is one, whatever the
// other does: a random program does not.
std::string difference(const Side& ours, const Outcome& our_outcome, const Side& theirs, const Outcome& their_outcome);
using Buffers = std::map<std::string, Array, std::less<>>;
std::string different_buffer(std::string_view ours, const Buffers& our_buffers, std::string_view theirs,
                             const Buffers& their_buffers);
std::string different_value(const std::string& what, std::string_view ours, std::uint64_t our_bits,
                            std::string_view theirs, std::uint64_t their_bits);

}  // namespace warpsim::fuzz
