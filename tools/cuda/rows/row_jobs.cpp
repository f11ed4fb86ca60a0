#include "tools/cuda/rows/row_jobs.h"

#include <algorithm>

#include "tools/cuda/rows/row_kernels.h"

namespace warpsim::rows {
namespace {

constexpr std::uint64_t kConstants = 256;

std::uint64_t whole_blocks(std::uint64_t count) { return (count + kBlockThreads - 1) / kBlockThreads * kBlockThreads; }

bool is_approximate(const Instruction& i) { return has_trait(*i.row, kApproximate); }

std::uint64_t count_of(const Instruction& i, const Signature& s, Pattern pattern, std::uint64_t count) {
  if (pattern == Pattern::Fractions) return has_fractions(i, s) ? count : 0;
  if (pattern == Pattern::Mixed) return count;
  const bool proved = is_approximate(i) && i.type == Type::F32;
  const bool high_word = is_approximate(i) && i.type == Type::F64 && i.mods.ftz;  // a seed, which sees no more
  const bool wide = bits(s.operands[0]) == 64;
  return is_lanewise(i.row->lift) && !proved && (!wide || high_word) ? every_count(s) : 0;
}

}  // namespace

std::vector<Job> all_jobs(Pattern pattern, std::uint64_t count, std::uint64_t seed) {
  std::vector<Instruction> all = all_instructions();
  for (const Instruction& i : network_instructions()) all.push_back(i);
  std::vector<Job> jobs;
  for (const Instruction& i : all) {
    const Signature s = signature(i);
    const std::uint64_t own_count = whole_blocks(count_of(i, s, pattern, count)), own_seed = opcode_seed(i, seed);
    if (own_count == 0) continue;
    const bool has_constant = s.constant != Signature::kNoConstant;
    const std::uint64_t each = has_constant ? whole_blocks((own_count + kConstants - 1) / kConstants) : own_count;
    for (std::uint64_t c = 0; c < (has_constant ? kConstants : 1); ++c)
      jobs.push_back({i, s, c, {own_seed + c, pattern}, each});
  }
  return jobs;
}

}  // namespace warpsim::rows
