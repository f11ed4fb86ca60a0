// What the offsets of a warp's shuffles can and cannot bring about; and words for sets of elements.
#include <algorithm>
#include <bit>

#include "traces/explain/wrong_answer_parts.h"

namespace warpsim::wrong {
namespace {

// The shuffles of one opcode that a warp executes up to an event: by how many lanes they move, of bfly by which xor.
struct Moves {
  ShuffleMode mode = ShuffleMode::Idx;
  std::set<unsigned> by;
  std::int32_t pc = -1;  // the first
  bool other = false;    // some bring values that no one offset explains
};

std::map<std::string, Moves> moves_of(const Trace& trace, const Stored& at) {
  std::map<std::string, Moves> all;
  const TraceEvent& store = trace.events[at.event];
  for (std::size_t n = 0; n < at.event; ++n) {
    const TraceEvent& event = trace.events[n];
    const bool here = event.block == store.block && event.warp == store.warp;
    if (!here || !event.exchange) continue;
    const TraceInsn& insn = trace.head.code[static_cast<std::size_t>(event.pc)];
    const std::optional<ShuffleMode> mode = insn.shuffle;
    if (!mode) continue;
    Moves& moves = all[insn.op];
    moves.mode = *mode;
    if (moves.pc < 0) moves.pc = event.pc;
    std::size_t k = 0;
    for_each_lane(event.exchange->lanes, [&](unsigned lane) {
      const unsigned from = event.exchange->from[k++];
      if (!has_lane(event.exchange->in_range, lane) || from == lane) return;
      if (*mode == ShuffleMode::Bfly) moves.by.insert(lane ^ from);
      else if ((*mode == ShuffleMode::Up) == (from < lane)) moves.by.insert(from < lane ? lane - from : from - lane);
      else moves.other = true;
    });
  }
  return all;
}

std::string offsets_text(const std::set<unsigned>& offsets) {
  return number_list(std::vector<std::size_t>(offsets.begin(), offsets.end()), 8);
}

// "17 = 16 + 1"
std::string as_powers(unsigned number) {
  std::string text;
  for (unsigned bit = std::bit_floor(number); bit != 0; bit >>= 1)
    if ((number & bit) != 0) text += (text.empty() ? "" : " + ") + std::to_string(bit);
  return std::has_single_bit(number) ? text : std::to_string(number) + " = " + text;
}

bool are_powers(const std::set<unsigned>& offsets) {
  return !offsets.empty() &&
         std::all_of(offsets.begin(), offsets.end(), [](unsigned n) { return std::has_single_bit(n); });
}

// Does the warp, up to the event, bring values from lane to lane by something else than shuffles?
bool crosses_otherwise(const Trace& trace, const Stored& at) {
  const TraceEvent& store = trace.events[at.event];
  for (std::size_t n = 0; n < at.event; ++n) {
    const TraceEvent& event = trace.events[n];
    if (event.block != store.block || event.warp != store.warp) continue;
    if (event.memory && event.memory->is_shared()) return true;
    const OpInfo* const row = trace.head.code[static_cast<std::size_t>(event.pc)].row;
    if (row != nullptr && crosses_lanes(row->lift)) return true;
  }
  return false;
}

}  // namespace

ShuffleReason shuffle_reason(const Trace& trace, const Stored& at, unsigned other) {
  const std::map<std::string, Moves> all = moves_of(trace, at);
  if (all.empty() && crosses_otherwise(trace, at)) return {};
  if (all.empty()) return {"its warp executes no shuffle before it stores", "", -1};
  if (all.size() > 1) return {"", "", all.begin()->second.pc};
  const auto& [op, moves] = *all.begin();
  const unsigned lane = at.lane;
  const std::string far = "lane " + std::to_string(other);
  if (moves.by.empty() && !moves.other)
    return {"no " + op + " of its warp brings a lane anything but its own value", "", moves.pc};
  if (moves.mode == ShuffleMode::Up && other > lane)
    return {far + " is above it, and shfl.up brings values from lower lanes alone", "shfl.down, or shfl.bfly",
            moves.pc};
  if (moves.mode == ShuffleMode::Down && other < lane)
    return {far + " is below it, and shfl.down brings values from higher lanes alone", "shfl.up, or shfl.bfly",
            moves.pc};
  const bool swaps = moves.mode == ShuffleMode::Bfly;
  if (moves.mode == ShuffleMode::Idx || !are_powers(moves.by) || moves.other) return {"", "", moves.pc};
  const unsigned distance = swaps ? lane ^ other : lane < other ? other - lane : lane - other;
  unsigned has = 0;
  for (const unsigned offset : moves.by) has |= offset;
  const unsigned lacks = distance & ~has;
  if (lacks == 0) return {"", "", moves.pc};
  const unsigned step = lacks & (~lacks + 1);
  ShuffleReason reason;
  reason.pc = moves.pc;
  reason.text = swaps ? far + " is lane " + std::to_string(lane) + " ^ " + as_powers(distance)
                      : far + " is " + as_powers(distance) + (distance == 1 ? " lane " : " lanes ") +
                            (other < lane ? "below" : "above") + " it";
  reason.text +=
      ", and no " + op + " has offset " + std::to_string(step) + " (they have " + offsets_text(moves.by) + ")";
  reason.hint = "add a step of offset " + std::to_string(step);
  return reason;
}

ShuffleReason missing_offset(const Trace& trace, const Stored& at) {
  for (const auto& [op, moves] : moves_of(trace, at)) {
    if (moves.mode == ShuffleMode::Idx || moves.other || !are_powers(moves.by) || moves.by.size() < 2) continue;
    for (unsigned step = 1; step < trace.head.lanes; step *= 2) {
      if (moves.by.count(step) != 0) continue;
      const bool all_others = moves.by.size() + 1 == static_cast<unsigned>(std::countr_zero(trace.head.lanes));
      if (step > *moves.by.rbegin() && !all_others) break;
      return {"its " + op + " have offsets " + offsets_text(moves.by) + ", and none has " + std::to_string(step),
              "is a step of offset " + std::to_string(step) + " missing?", moves.pc};
    }
  }
  return {};
}

std::string number_list(const std::vector<std::size_t>& numbers, std::size_t most) {
  std::string text;
  std::size_t shown = 0;
  for (std::size_t k = 0; k < numbers.size() && shown < most; ++shown) {
    std::size_t last = k;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (last < k + 2) last = k;  // two in a row are named one by one
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[k]) +
            (last == k ? "" : "-" + std::to_string(numbers[last]));
    k = last + 1;
    if (shown + 1 == most && k < numbers.size()) text += " …";
  }
  return text;
}

std::string which_ones(const std::vector<std::size_t>& wrong, std::size_t of) {
  const std::string list = number_list(wrong, 6);
  if (wrong.size() == of) return of == 1 ? list : "all " + std::to_string(of);
  if (wrong.size() < 3) return list;
  const std::size_t step = wrong[1] - wrong[0];
  for (std::size_t k = 2; k < wrong.size(); ++k)
    if (wrong[k] - wrong[k - 1] != step) return list;
  const bool to_the_end = wrong.back() + step >= of;
  if (step == 1 && to_the_end) return list + ": all from " + std::to_string(wrong[0]) + " on";
  if (step == 1 && wrong[0] == 0) return list + ": all below " + std::to_string(wrong.back() + 1);
  if (!to_the_end) return list;
  const std::size_t rest = wrong[0] % step;
  const std::string from = wrong[0] >= step ? " from " + std::to_string(wrong[0]) + " on" : "";
  if (step == 2) return list + (rest == 0 ? ": all even ones" : ": all odd ones") + from;
  if (rest == 0) return list + ": all multiples of " + std::to_string(step) + from;
  return list + ": all that are " + std::to_string(rest) + " modulo " + std::to_string(step) + from;
}

}  // namespace warpsim::wrong
