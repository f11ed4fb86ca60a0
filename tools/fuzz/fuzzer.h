// Differential fuzzing: many random programs on two sides, and where they differ.
//
// Shapes: the seeds of a plan are seed … seed + count - 1; shard i of n has every n-th of them, from the i-th on. What
//         is found depends on the plan alone: not on the batches, nor on time, nor on the machine. The simulator also
//         runs against itself on one program in 16: with observers, and with collectives expanded.
// Units:  `instructions` counts those of warps, in the simulator.
// Errors: a text that does not assemble and a program that stops are differences too.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/fuzz/side.h"

namespace warpsim::fuzz {

struct Plan {
  std::uint64_t seed = 1, count = 1000;
  std::uint64_t shard = 0, shards = 1;
  std::uint64_t max_differences = 10;  // ends after so many
  reference::Limits limits;
  std::size_t batch = 256;  // programs that a side gets together
};

// How many of `count` programs a shard has.
constexpr std::uint64_t share(std::uint64_t count, std::uint64_t shard, std::uint64_t shards) {
  return count / shards + (count % shards > shard ? 1 : 0);
}

struct Difference {
  std::uint64_t seed = 0;
  std::string launch;    // "8 lanes, grid 1x1x1, block 16x1x1"
  std::string sentence;  // "out_u32[3]: the simulator has 0x1, the reference 0x2"
};

struct Report {
  std::uint64_t programs = 0, instructions = 0;
  bool complete = true;  // false: max_differences ended it, or a side that works no more
  std::vector<Difference> differences;
};

// The first difference, shrunk.
struct Shrunk {
  RandomProgram program;
  std::string against;   // the other side's name
  std::string sentence;  // what differs now
  std::size_t lines = 0, lines_before = 0;
  std::map<std::string, Array, std::less<>> expected;  // what the other side gave; empty if it gave nothing
};

class Fuzzer {
 public:
  Fuzzer(const Plan& plan, std::unique_ptr<Side> simulator, std::unique_ptr<Side> counterpart);

  // `progress` is called with the number of programs done, and of all.
  Report run(const std::function<void(std::uint64_t, std::uint64_t)>& progress = {});
  // Whether every side can still run programs; if not, nothing can be shrunk either.
  bool works() const;
  // The program of that seed, which differs, made small.
  Shrunk shrink(std::uint64_t seed);

 private:
  // Another side, and which seeds it gets.
  struct Against {
    std::unique_ptr<Side> side;
    std::uint64_t every = 1, at = 0;  // seed % every == at
  };
  struct Judged {
    std::string sentence;  // "": no difference
    const Side* against = nullptr;
    std::uint64_t instructions = 0;
    std::map<std::string, Array, std::less<>> expected;
  };
  // What differs, program by program; `only`: against that side alone, and of valid programs.
  std::vector<Judged> judge(std::span<const RandomProgram> programs, const Side* only = nullptr);
  struct Batch;
  void judge_against(const Against& against, Batch& batch, bool everything);

  Plan plan_;
  std::unique_ptr<Side> simulator_;
  std::vector<Against> against_;
};

}  // namespace warpsim::fuzz
