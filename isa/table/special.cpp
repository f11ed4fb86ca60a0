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
    {"%smid", Type::U32,
     "the multiprocessor that executes the block: the place of the block among the resident ones, modulo 132", "", ""},
    {"%nsmid", Type::U32, "the number of multiprocessors of an H200", "", "", 132},
    {"%gridid", Type::U64, "the number of the launch in its process: here always 0", "", "", 0},
    {"%clusterid.x", Type::U32,
     "the cluster's index in the grid, along x: a block is a cluster of its own here, so %ctaid.x", "", ""},
    {"%clusterid.y", Type::U32,
     "the cluster's index in the grid, along y: a block is a cluster of its own here, so %ctaid.y", "", ""},
    {"%clusterid.z", Type::U32,
     "the cluster's index in the grid, along z: a block is a cluster of its own here, so %ctaid.z", "", ""},
    {"%nclusterid.x", Type::U32, "the number of clusters along x: %nctaid.x", "", ""},
    {"%nclusterid.y", Type::U32, "the number of clusters along y: %nctaid.y", "", ""},
    {"%nclusterid.z", Type::U32, "the number of clusters along z: %nctaid.z", "", ""},
    {"%cluster_ctaid.x", Type::U32, "the block's index in its cluster, along x", "", "", 0},
    {"%cluster_ctaid.y", Type::U32, "the block's index in its cluster, along y", "", "", 0},
    {"%cluster_ctaid.z", Type::U32, "the block's index in its cluster, along z", "", "", 0},
    {"%cluster_nctaid.x", Type::U32, "the number of blocks of a cluster along x", "", "", 1},
    {"%cluster_nctaid.y", Type::U32, "the number of blocks of a cluster along y", "", "", 1},
    {"%cluster_nctaid.z", Type::U32, "the number of blocks of a cluster along z", "", "", 1},
    {"%cluster_ctarank", Type::U32, "the block's number in its cluster", "", "", 0},
    {"%cluster_nctarank", Type::U32, "the number of blocks of a cluster", "", "", 1},
    {"%total_smem_size", Type::U32, "the bytes of the block's shared memory", "", ""},
    {"%aggr_smem_size", Type::U32, "the same, with what the system takes: nothing here", "", ""},
    {"%dynamic_smem_size", Type::U32, "the bytes of shared memory that the launch adds", "", "", 0},
    {"%reserved_smem_offset_begin", Type::U32,
     "where the shared memory begins that the system takes: it takes none here", "", "", 0},
    {"%reserved_smem_offset_end", Type::U32, "where it ends", "", "", 0},
    {"%reserved_smem_offset_cap", Type::U32, "how large it is", "", "", 0},
    {"%reserved_smem_offset_0", Type::U32, "a place in it", "", "", 0},
    {"%reserved_smem_offset_1", Type::U32, "a place in it", "", "", 0},
    {"%envreg0", Type::U32, "%envreg0 to %envreg31 hold what a driver puts there: 0", "", "", 0},
    {"%pm0", Type::U32, "%pm0 to %pm7 count what a profiler asks for: 0", "", "", 0},
    {"%pm0_64", Type::U64, "%pm0_64 to %pm7_64, the same in 64 bits: 0", "", "", 0},
    {"%current_graph_exec", Type::U64, "the handle of the graph that the launch is part of: none", "", "", 0},
    {"%clock", Type::U32, "the low half of %clock64; mov alone reads it", "", "clock()"},
    {"%clock_hi", Type::U32, "the high half of %clock64; mov alone reads it", "", ""},
    {"%clock64", Type::U64, "the machine's cycles when the instruction issues; mov alone reads it", "", "clock64()"},
    {"%globaltimer", Type::U64, "the same in nanoseconds, at an H200's 1980 MHz; mov alone reads it", "", ""},
    {"%globaltimer_lo", Type::U32, "the low half of %globaltimer; mov alone reads it", "", ""},
    {"%globaltimer_hi", Type::U32, "the high half of %globaltimer; mov alone reads it", "", ""},
}};
static_assert(kSpecials.back().name == "%globaltimer_hi", "the rows of kSpecials stand in the order of Special");

// "%envreg12" → "%envreg0", if the number is one of `count`; what follows it stays.
std::string first_of(std::string_view word, std::string_view stem, unsigned count) {
  if (!word.starts_with(stem)) return std::string(word);
  std::string_view rest = word.substr(stem.size());
  std::size_t digits = 0;
  unsigned number = 0;
  for (; digits < rest.size() && digits < 2 && is_digit(rest[digits]); ++digits)
    number = number * 10 + static_cast<unsigned>(rest[digits] - '0');
  const bool canonical = digits == 1 || (digits == 2 && rest[0] != '0');
  if (!canonical || number >= count) return std::string(word);
  return std::string(stem) + "0" + std::string(rest.substr(digits));
}

}  // namespace

const SpecialInfo& info(Special special) { return kSpecials[static_cast<std::size_t>(special)]; }
std::span<const SpecialInfo> all_specials() { return kSpecials; }
std::string_view name(Special special) { return info(special).name; }

std::optional<Special> parse_special(std::string_view word) {
  const std::string name = first_of(first_of(word, "%envreg", 32), "%pm", 8);
  for (std::size_t i = 0; i < kSpecials.size(); ++i) {
    if (kSpecials[i].name == name) return static_cast<Special>(i);
  }
  return std::nullopt;
}

bool is_unsupported_special(std::string_view word) { return word == "%is_explicit_cluster"; }

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
