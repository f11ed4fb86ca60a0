// Jobs and outcomes; see side.h.
#include "tools/fuzz/side.h"

#include <utility>

#include "isa/assembly/assembler.h"
#include "isa/text/number_text.h"

namespace warpsim::fuzz {

namespace {

constexpr std::uint64_t kMaxCycles = 200'000;  // fifty times what the longest program needs; a wrong one may loop

}  // namespace

std::optional<Job> job_of(const RandomProgram& source, std::string& problem) {
  Assembled assembled = assemble(source.text(), "random.warp");
  if (assembled.lessons.empty()) {
    problem = "does not assemble:\n" + assembled.diagnostics.render();
    return std::nullopt;
  }
  Job job;
  job.source = &source;
  job.program = std::move(assembled.lessons.front());
  job.config = {.lanes = source.lanes, .grid = source.grid, .block = source.block, .max_cycles = kMaxCycles};
  job.arguments = {source.scalars, source.buffers};
  return job;
}

std::string different_value(const std::string& what, std::string_view ours, std::uint64_t our_bits,
                            std::string_view theirs, std::uint64_t their_bits) {
  return what + ": the " + std::string(ours) + " has " + hexadecimal_text(our_bits) + ", the " + std::string(theirs) +
         " " + hexadecimal_text(their_bits);
}

std::string different_buffer(std::string_view ours, const Buffers& our_buffers, std::string_view theirs,
                             const Buffers& their_buffers) {
  for (const auto& [name, our_array] : our_buffers) {
    const auto found = their_buffers.find(name);
    if (found == their_buffers.end() || found->second.bits.size() != our_array.bits.size())
      return "buffer " + name + " has another length";
    const std::vector<std::uint64_t>& their_bits = found->second.bits;
    for (std::size_t k = 0; k < their_bits.size(); ++k)
      if (our_array.bits[k] != their_bits[k])
        return different_value(name + "[" + std::to_string(k) + "]", ours, our_array.bits[k], theirs, their_bits[k]);
  }
  return "";
}

std::string difference(const Side& ours, const Outcome& our_outcome, const Side& theirs, const Outcome& their_outcome) {
  if (our_outcome.stopped) return "the " + std::string(ours.name()) + " stops: " + our_outcome.why;
  if (their_outcome.stopped) return "the " + std::string(theirs.name()) + " alone stops: " + their_outcome.why;
  return different_buffer(ours.name(), our_outcome.buffers, theirs.name(), their_outcome.buffers);
}

}  // namespace warpsim::fuzz
