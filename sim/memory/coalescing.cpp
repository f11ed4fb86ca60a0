#include "sim/memory/coalescing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace warpsim {

PiecesTouched pieces_touched(const MemoryEvent& event, std::uint64_t piece_bytes) {
  const std::uint64_t bytes_a_lane = std::uint64_t{event.bytes} * event.elements;
  std::array<std::uint64_t, kMaxLanes> address{};
  std::size_t n = 0;
  for_each_lane(event.lanes, [&](unsigned lane) { address[n++] = event.address[lane]; });
  const auto end = address.begin() + static_cast<std::ptrdiff_t>(n);
  if (!std::is_sorted(address.begin(), end)) std::sort(address.begin(), end);
  PiecesTouched out;
  std::uint64_t bytes = 0, reached = 0, last_piece = ~std::uint64_t{0};
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint64_t stop = address[k] + bytes_a_lane;
    bytes += stop - std::min(stop, std::max(address[k], reached));
    reached = std::max(reached, stop);
    for (std::uint64_t piece = address[k] / piece_bytes; piece <= (stop - 1) / piece_bytes; ++piece) {
      if (piece == last_piece || (last_piece != ~std::uint64_t{0} && piece < last_piece)) continue;
      ++out.touched;
      last_piece = piece;
    }
  }
  out.least = (bytes + piece_bytes - 1) / piece_bytes;
  return out;
}

PiecesTouched local_pieces_touched(const MemoryEvent& event, std::uint64_t piece_bytes, unsigned lanes) {
  const std::uint64_t bytes_a_lane = std::uint64_t{event.bytes} * event.elements;
  std::vector<std::uint64_t> pieces;
  for_each_lane(event.lanes, [&](unsigned lane) {
    for (std::uint64_t at = 0; at < bytes_a_lane; at += kInterleavedBytes)
      pieces.push_back(interleaved_address(0, lane, lanes, event.address[lane] + at) / piece_bytes);
  });
  std::sort(pieces.begin(), pieces.end());
  const auto end = std::unique(pieces.begin(), pieces.end());
  const std::uint64_t bytes = bytes_a_lane * count_lanes(event.lanes);  // of memories of their own
  return {static_cast<std::uint64_t>(end - pieces.begin()), (bytes + piece_bytes - 1) / piece_bytes};
}

}  // namespace warpsim
