// Oracles of the programs of shuffle/: what CUDA's manual says of a shuffle, for one lane, in plain arithmetic.
//
// Shapes: an oracle fills the output arrays of one warp, whose threads are given lane by lane. It shares nothing with
//         the machine.
// Units:  lanes, threads and elements are counted from 0.
// Errors: none.
// Source: CUDA C++ Programming Guide, "Warp Shuffle Functions".
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/table/type.h"

namespace warpsim::testing {
namespace shuffle_test {

using Bits = std::vector<std::uint64_t>;
using Arrays = std::map<std::string, Bits>;

struct Launch {
  std::size_t lanes = 32, grid = 1, block = 32, size = 32;
  std::map<std::string, std::int64_t> params;
  Arrays inputs;
};

// A warp's living threads, lane by lane: they are its lowest lanes.
using Warp = std::vector<std::size_t>;

inline std::vector<Warp> warps_of(const Launch& launch) {
  std::vector<Warp> warps;
  for (std::size_t first = 0; first < launch.grid * launch.block; first += launch.block) {
    for (std::size_t t = 0; t < launch.block; ++t) {
      if (t % launch.lanes == 0) warps.emplace_back();
      if (first + t < launch.size) warps.back().push_back(first + t);
    }
  }
  std::erase_if(warps, [](const Warp& warp) { return warp.empty(); });
  return warps;
}

enum class Mode { Idx, Up, Down, Xor };

// The lane that `lane` reads, in segments of `width`; none where it keeps its own value. idx wraps inside the segment,
// up and down stay in it, xor stays below its end (CUDA C++ Programming Guide, "Warp Shuffle Functions"). Five bits of
// the operand count, as on an H200; six of 64 lanes.
inline std::optional<std::size_t> source(Mode mode, std::size_t lane, std::int64_t operand, std::size_t width,
                                         std::size_t lanes) {
  const std::int64_t modulus = lanes == 64 ? 64 : 32;
  const std::size_t b = static_cast<std::size_t>((operand % modulus + modulus) % modulus);
  const std::size_t place = lane % width, first = lane - place;
  switch (mode) {
    case Mode::Idx: return first + b % width;
    case Mode::Up: return place >= b ? std::optional(lane - b) : std::nullopt;
    case Mode::Down: return place + b < width ? std::optional(lane + b) : std::nullopt;
    case Mode::Xor: return (lane ^ b) < first + width ? std::optional(lane ^ b) : std::nullopt;
  }
  return std::nullopt;
}

// The same where the program ends the reach at the last living lane.
inline std::optional<std::size_t> reach(Mode mode, std::size_t lane, std::int64_t operand, std::size_t width,
                                        const Launch& launch, const Warp& warp) {
  const std::optional<std::size_t> from = source(mode, lane, operand, width, launch.lanes);
  return from && *from < warp.size() ? from : std::nullopt;
}

using Oracle = std::function<void(const Launch&, const Warp&, Arrays&)>;

// out[lane] = in[the lane that `from` names, else the own one].
inline void exchange(const Warp& warp, const Bits& in, Bits& out,
                     const std::function<std::optional<std::size_t>(std::size_t)>& from) {
  for (std::size_t lane = 0; lane < warp.size(); ++lane) out[warp[lane]] = in[warp[from(lane).value_or(lane)]];
}

inline void idx_broadcast(const Launch& s, const Warp& warp, Arrays& out) {
  exchange(warp, s.inputs.at("input"), out["output"],
           [&](std::size_t lane) { return source(Mode::Idx, lane, s.params.at("src"), s.lanes, s.lanes); });
}

inline void idx_gather(const Launch& s, const Warp& warp, Arrays& out) {
  exchange(warp, s.inputs.at("input"), out["output"], [&](std::size_t lane) {
    const std::int64_t asked = static_cast<std::int64_t>(s.inputs.at("source")[warp[lane]]);
    return source(Mode::Idx, lane, asked, s.lanes, s.lanes);
  });
}

inline void up(const Launch& s, const Warp& warp, Arrays& out) {
  const auto from = [&](std::size_t lane) { return source(Mode::Up, lane, s.params.at("delta"), s.lanes, s.lanes); };
  exchange(warp, s.inputs.at("input"), out["output"], from);
  for (std::size_t lane = 0; lane < warp.size(); ++lane) out["in_range"][warp[lane]] = from(lane) ? 1 : 0;
}

// What comes from a lane that is in range and not there is undefined: the program leaves 0.
inline void down(const Launch& s, const Warp& warp, Arrays& out) {
  const Bits& in = s.inputs.at("input");
  for (std::size_t lane = 0; lane < warp.size(); ++lane) {
    const std::optional<std::size_t> from = source(Mode::Down, lane, s.params.at("delta"), s.lanes, s.lanes);
    out["in_range"][warp[lane]] = from ? 1 : 0;
    if (!from) out["output"][warp[lane]] = in[warp[lane]];
    else if (*from < warp.size()) out["output"][warp[lane]] = in[warp[*from]];
  }
}

inline void bfly_masks(const Launch& s, const Warp& warp, Arrays& out) {
  for (std::int64_t k = 0; k < s.params.at("masks"); ++k) {
    Bits row(s.size);
    exchange(warp, s.inputs.at("input"), row,
             [&](std::size_t lane) { return reach(Mode::Xor, lane, s.params.at("first") + k, s.lanes, s, warp); });
    for (const std::size_t at : warp) out["output"][static_cast<std::size_t>(k) * s.size + at] = row[at];
  }
}

inline void xor_twice(const Launch& s, const Warp& warp, Arrays& out) {
  exchange(warp, s.inputs.at("input"), out["once"],
           [&](std::size_t lane) { return reach(Mode::Xor, lane, s.params.at("lane_mask"), s.lanes, s, warp); });
  for (const std::size_t at : warp) out["twice"][at] = s.inputs.at("input")[at];
}

inline void four_modes(const Launch& s, const Warp& warp, std::size_t width, Arrays& out) {
  const std::pair<std::string, Mode> modes[] = {
      {"idx", Mode::Idx}, {"up", Mode::Up}, {"down", Mode::Down}, {"bfly", Mode::Xor}};
  for (const auto& [name, mode] : modes) {
    exchange(warp, s.inputs.at("input"), out[name],
             [&, m = mode](std::size_t lane) { return reach(m, lane, s.params.at("b"), width, s, warp); });
  }
}

inline void widths(const Launch& s, const Warp& warp, Arrays& out) {
  const std::uint64_t width = static_cast<std::uint64_t>(s.params.at("width"));
  four_modes(s, warp, std::bit_floor(std::clamp<std::uint64_t>(width, 1, s.lanes)), out);
}

inline void out_of_range(const Launch& s, const Warp& warp, Arrays& out) {
  four_modes(s, warp, s.lanes, out);
  for (std::size_t lane = 0; lane < warp.size(); ++lane) {
    std::uint64_t in_range = 0, bit = 1;
    for (const Mode mode : {Mode::Idx, Mode::Up, Mode::Down, Mode::Xor}) {
      if (reach(mode, lane, s.params.at("b"), s.lanes, s, warp)) in_range += bit;
      bit *= 2;
    }
    out["in_range"][warp[lane]] = in_range;
  }
}

inline bool is_member(const Launch& s, std::size_t lane) {
  return (static_cast<std::uint64_t>(s.params.at("members")) >> lane) % 2 != 0;
}

// The lowest and the highest living member.
inline std::pair<std::size_t, std::size_t> ends_of_set(const Launch& s, const Warp& warp) {
  std::size_t lowest = warp.size(), highest = 0;
  for (std::size_t lane = warp.size(); lane-- > 0;) {
    if (!is_member(s, lane)) continue;
    highest = std::max(highest, lane);
    lowest = lane;
  }
  return {lowest, highest};
}

// Whom a member reads, where the reach ends at the ends of the set.
inline std::optional<std::size_t> inside_set(const Launch& s, const Warp& warp, Mode mode, std::size_t lane) {
  if (!is_member(s, lane)) return std::nullopt;
  const std::int64_t operand = s.params.at(mode == Mode::Xor ? "partner" : "delta");
  const std::optional<std::size_t> from = source(mode, lane, operand, s.lanes, s.lanes);
  const auto [lowest, highest] = ends_of_set(s, warp);
  return from && *from <= highest && (mode == Mode::Xor || *from >= lowest) ? from : std::nullopt;
}

inline void member_masks(const Launch& s, const Warp& warp, Arrays& out) {
  const auto [lowest, highest] = ends_of_set(s, warp);
  exchange(warp, s.inputs.at("input"), out["lowest"],
           [&, first = lowest](std::size_t lane) { return is_member(s, lane) ? std::optional(first) : std::nullopt; });
  for (const auto& [name, mode] :
       {std::pair("exchanged", Mode::Xor), std::pair("from_below", Mode::Up), std::pair("from_above", Mode::Down)}) {
    exchange(warp, s.inputs.at("input"), out[name],
             [&, m = mode](std::size_t lane) { return inside_set(s, warp, m, lane); });
  }
}

// A NaN loses; +0 is larger than -0. No pair here has two NaNs.
template <class Float, class Word>
inline std::uint64_t larger_float(std::uint64_t a, std::uint64_t b) {
  const Float x = std::bit_cast<Float>(static_cast<Word>(a)), y = std::bit_cast<Float>(static_cast<Word>(b));
  if (std::isnan(x)) return b;
  if (std::isnan(y)) return a;
  if (x == y) return a & b;  // equal bits, or two zeros
  return x > y ? a : b;
}
// Halves of one sign order as their bits do.
inline std::uint64_t larger_half(std::uint64_t a, std::uint64_t b) {
  const auto is_nan = [](std::uint64_t h) { return (h & 0x7FFF) > 0x7C00; };
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  const auto key = [](std::uint64_t h) {
    const std::int64_t magnitude = static_cast<std::int64_t>(h & 0x7FFF);
    return h < 0x8000 ? magnitude : -1 - magnitude;
  };
  return key(a) > key(b) ? a : b;
}

template <class Larger>
inline Oracle swap_neighbors(Larger larger) {
  return [larger](const Launch& s, const Warp& warp, Arrays& out) {
    const Bits& in = s.inputs.at("input");
    exchange(warp, in, out["received"], [&](std::size_t lane) { return reach(Mode::Xor, lane, 1, s.lanes, s, warp); });
    for (const std::size_t at : warp) out["larger"][at] = larger(in[at], out["received"][at]);
  };
}
template <class T>
inline std::uint64_t larger_of(std::uint64_t a, std::uint64_t b) {
  return static_cast<T>(a) > static_cast<T>(b) ? a : b;
}

inline std::uint64_t larger_halves(std::uint64_t a, std::uint64_t b) {
  return larger_half(a >> 16, b >> 16) << 16 | larger_half(a & 0xFFFF, b & 0xFFFF);
}

inline void struct_members(const Launch& s, const Warp& warp, Arrays& out) {
  for (const std::string member : {"x", "y"}) {
    exchange(warp, s.inputs.at(member), out[member + "_received"],
             [&](std::size_t lane) { return source(Mode::Idx, lane, s.params.at("src"), s.lanes, s.lanes); });
  }
}

inline void split_64(const Launch& s, const Warp& warp, Arrays& out) {
  exchange(warp, s.inputs.at("input"), out["output"],
           [&](std::size_t lane) { return reach(Mode::Down, lane, s.params.at("delta"), s.lanes, s, warp); });
  for (const std::size_t at : warp) out["same"][at] = 1;
}

inline void pointer_value(const Launch& s, const Warp& warp, Arrays& out) {
  exchange(warp, s.inputs.at("input"), out["output"],
           [&](std::size_t lane) { return std::optional((lane + 1) % warp.size()); });
}

}  // namespace shuffle_test
}  // namespace warpsim::testing
