// The special registers: name, type, meaning, and what Mojo and CUDA call them.
//
// Shapes: one row a Special, in the order of the enumerators.
// Units:  numbers of lanes, threads, warps, blocks.
// Errors: none.
// Source: PTX ISA 9.0, chapter 10 "Special Registers"; %gtid is warpsim's.
#include "isa/operand.h"

#include <array>
#include <cstddef>

namespace warpsim {
namespace {

constexpr std::array<SpecialInfo, kSpecialCount> kSpecials = {{
    {"%laneid", Type::U32, "the lane's number in its warp", "Mojo lane_id(); CUDA threadIdx.x % warpSize"},
    {"%warpid", Type::U32, "the warp's slot in the machine: programs use the thread number / WARP_SZ",
     "Mojo warp_id()"},
    {"%nwarpid", Type::U32, "the number of warp slots", ""},
    {"%tid.x", Type::U32, "the thread's number in its block, x", "Mojo thread_idx.x, local_i; CUDA threadIdx.x"},
    {"%tid.y", Type::U32, "the thread's number in its block, y", "Mojo thread_idx.y; CUDA threadIdx.y"},
    {"%tid.z", Type::U32, "the thread's number in its block, z", "Mojo thread_idx.z; CUDA threadIdx.z"},
    {"%ntid.x", Type::U32, "threads in a block, x", "Mojo block_dim.x; CUDA blockDim.x"},
    {"%ntid.y", Type::U32, "threads in a block, y", "Mojo block_dim.y; CUDA blockDim.y"},
    {"%ntid.z", Type::U32, "threads in a block, z", "Mojo block_dim.z; CUDA blockDim.z"},
    {"%ctaid.x", Type::U32, "the block's number in the grid, x", "Mojo block_idx.x; CUDA blockIdx.x"},
    {"%ctaid.y", Type::U32, "the block's number in the grid, y", "Mojo block_idx.y; CUDA blockIdx.y"},
    {"%ctaid.z", Type::U32, "the block's number in the grid, z", "Mojo block_idx.z; CUDA blockIdx.z"},
    {"%nctaid.x", Type::U32, "blocks in the grid, x", "Mojo grid_dim.x; CUDA gridDim.x"},
    {"%nctaid.y", Type::U32, "blocks in the grid, y", "Mojo grid_dim.y; CUDA gridDim.y"},
    {"%nctaid.z", Type::U32, "blocks in the grid, z", "Mojo grid_dim.z; CUDA gridDim.z"},
    {"%lanemask_eq", Type::Mask, "the own lane's bit", ""},
    {"%lanemask_le", Type::Mask, "the bits of the lanes up to this one", ""},
    {"%lanemask_lt", Type::Mask, "the bits of the lanes before this one", ""},
    {"%lanemask_ge", Type::Mask, "the bits of the lanes from this one on", ""},
    {"%lanemask_gt", Type::Mask, "the bits of the lanes after this one", ""},
    {"%gtid", Type::U32, "the thread's number in the grid: %ctaid.x * %ntid.x + %tid.x", "Mojo global_i, global_idx.x"},
}};
static_assert(kSpecials.back().name == "%gtid", "one row a special register, in the order of the enumerators");

}  // namespace

const SpecialInfo& info(Special special) { return kSpecials[static_cast<std::size_t>(special)]; }
std::span<const SpecialInfo> all_specials() { return kSpecials; }

}  // namespace warpsim
