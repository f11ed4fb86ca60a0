// The table of special registers.
//
// Source: PTX ISA 9.0, chapter 10 "Special Registers".
#include "isa/table/special.h"

#include <algorithm>
#include <array>

#include "isa/text/word.h"

namespace warpsim {
namespace {

constexpr std::array<SpecialInfo, kSpecialCount> kSpecials = {{
    {"%laneid", Type::U32, "the lane's number in its warp, from 0", "lane_id()", "threadIdx.x % warpSize"},
    {"%warpid", Type::U32, "the warp's slot; programs use the thread number / WARP_SZ", "", ""},
    {"%nwarpid", Type::U32, "the number of warp slots", "", ""},
    {"%tid.x", Type::U32, "the thread's index in its block, along x", "thread_idx.x", "threadIdx.x"},
    {"%tid.y", Type::U32, "the thread's index in its block, along y", "thread_idx.y", "threadIdx.y"},
    {"%tid.z", Type::U32, "the thread's index in its block, along z", "thread_idx.z", "threadIdx.z"},
    {"%ntid.x", Type::U32, "the number of threads of a block along x", "block_dim.x", "blockDim.x"},
    {"%ntid.y", Type::U32, "the number of threads of a block along y", "block_dim.y", "blockDim.y"},
    {"%ntid.z", Type::U32, "the number of threads of a block along z", "block_dim.z", "blockDim.z"},
    {"%ctaid.x", Type::U32, "the block's index in the grid, along x", "block_idx.x", "blockIdx.x"},
    {"%ctaid.y", Type::U32, "the block's index in the grid, along y", "block_idx.y", "blockIdx.y"},
    {"%ctaid.z", Type::U32, "the block's index in the grid, along z", "block_idx.z", "blockIdx.z"},
    {"%nctaid.x", Type::U32, "the number of blocks of the grid along x", "grid_dim.x", "gridDim.x"},
    {"%nctaid.y", Type::U32, "the number of blocks of the grid along y", "grid_dim.y", "gridDim.y"},
    {"%nctaid.z", Type::U32, "the number of blocks of the grid along z", "grid_dim.z", "gridDim.z"},
    {"%lanemask_eq", Type::Mask, "the own lane alone", "", ""},
    {"%lanemask_le", Type::Mask, "the lanes up to and with the own one", "", ""},
    {"%lanemask_lt", Type::Mask, "the lanes below the own one", "", ""},
    {"%lanemask_ge", Type::Mask, "the lanes from the own one on", "", ""},
    {"%lanemask_gt", Type::Mask, "the lanes above the own one", "", ""},
    {"%gtid", Type::U32, "%ctaid.x * %ntid.x + %tid.x: global_i in the Mojo GPU Puzzles", "global_idx.x",
     "blockIdx.x * blockDim.x + threadIdx.x"},
    {"%clock", Type::U32, "the low half of %clock64; mov alone reads it", "", "clock()"},
    {"%clock64", Type::U64, "the machine's cycles when the instruction issues; mov alone reads it", "", "clock64()"},
}};
static_assert(kSpecials.back().name == "%clock64", "the rows of kSpecials stand in the order of Special");

// PTX's others, for the message that they are known; a number follows %envreg and %pm.
constexpr std::array<std::string_view, 25> kNotYet = {"%smid",
                                                      "%reserved_smem_offset_0",
                                                      "%reserved_smem_offset_1",
                                                      "%nsmid",
                                                      "%gridid",
                                                      "%clock_hi",
                                                      "%globaltimer",
                                                      "%globaltimer_lo",
                                                      "%globaltimer_hi",
                                                      "%envreg",
                                                      "%pm",
                                                      "%total_smem_size",
                                                      "%aggr_smem_size",
                                                      "%dynamic_smem_size",
                                                      "%reserved_smem_offset_begin",
                                                      "%reserved_smem_offset_end",
                                                      "%reserved_smem_offset_cap",
                                                      "%is_explicit_cluster",
                                                      "%clusterid",
                                                      "%nclusterid",
                                                      "%cluster_ctaid",
                                                      "%cluster_nctaid",
                                                      "%cluster_ctarank",
                                                      "%cluster_nctarank",
                                                      "%current_graph_exec"};

}  // namespace

const SpecialInfo& info(Special special) { return kSpecials[static_cast<std::size_t>(special)]; }
std::span<const SpecialInfo> all_specials() { return kSpecials; }
std::string_view name(Special special) { return info(special).name; }

std::optional<Special> parse_special(std::string_view word) {
  for (std::size_t i = 0; i < kSpecials.size(); ++i) {
    if (kSpecials[i].name == word) return static_cast<Special>(i);
  }
  return std::nullopt;
}

bool is_unsupported_special(std::string_view word) {
  word = word.substr(0, word.find('.'));
  const std::string_view stem = word.substr(0, word.find_last_not_of("0123456789") + 1);
  return std::any_of(kNotYet.begin(), kNotYet.end(), [&](std::string_view known) {
    return known == word || (known == stem && (stem == "%envreg" || stem == "%pm"));
  });
}

std::optional<Special> special_known_as(std::string_view word) {
  const auto bare = [](std::string_view s) { return s.ends_with("()") ? s.substr(0, s.size() - 2) : s; };
  if (bare(word).empty()) return std::nullopt;
  for (std::size_t i = 0; i < kSpecials.size(); ++i) {
    if (bare(kSpecials[i].mojo) == bare(word) || kSpecials[i].cuda == word) return static_cast<Special>(i);
  }
  return std::nullopt;
}

bool is_name_char(char c) { return is_word(c) || c == '.' || c == ':'; }

std::string special_named(std::string_view word) {
  if (word.starts_with('%')) word.remove_prefix(1);
  if (const std::optional<Special> special = special_known_as(word)) return std::string(name(*special));
  for (const SpecialInfo& row : all_specials()) {
    if (row.name.substr(1) == word) return std::string(row.name);
    if (row.name.ends_with(".x") && row.name.substr(1, row.name.size() - 3) == word) return std::string(row.name);
    // "global_i in the Mojo GPU Puzzles"
    const std::size_t at = row.doc.find(word);
    const bool whole = at != std::string_view::npos && (at == 0 || !is_name_char(row.doc[at - 1])) &&
                       (at + word.size() == row.doc.size() || !is_name_char(row.doc[at + word.size()]));
    if (whole && word.find('_') != std::string_view::npos) return std::string(row.name);
  }
  return "";
}

}  // namespace warpsim
