// Bank conflicts and scattered sectors: see advice_memory.h.
#include "sim/check/advice_memory.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "sim/check/advice_parts.h"
#include "sim/machine/machine.h"
#include "sim/memory/coalescing.h"
#include "sim/memory/memory.h"

namespace warpsim {
namespace {

constexpr std::size_t kNamed = 4;  // words and elements that a message names

using advice::number;
using Words = std::map<std::uint64_t, LaneMask>;  // word → the lanes that touch it

unsigned bytes_a_lane(const MemoryEvent& event) { return event.bytes * event.elements; }

// Of every bank the words that it must serve; the bank with the most of them, or with the most lanes in turn.
Words busiest_bank(const MemoryEvent& event) {
  std::array<Words, kBanks> banks;
  const bool in_turn = event.access == MemoryEvent::Access::Atomic;
  for_each_lane(event.lanes, [&](unsigned lane) {
    const std::uint64_t last = event.address[lane] + bytes_a_lane(event) - 1;
    for (std::uint64_t word = event.address[lane] / kBankBytes; word <= last / kBankBytes; ++word)
      banks[word % kBanks][word] |= lane_bit(lane);
  });
  const auto load = [&](const Words& words) {
    if (!in_turn) return words.size();
    std::size_t lanes = 0;
    for (const auto& [word, of] : words) lanes += count_lanes(of);
    return lanes;
  };
  return *std::max_element(banks.begin(), banks.end(),
                           [&](const Words& a, const Words& b) { return load(a) < load(b); });
}

// How far each lane lies from the one before, of those that execute; 0 if that is not the same for all.
std::int64_t stride_of(const MemoryEvent& event) {
  std::int64_t stride = 0;
  unsigned before = first_lane(event.lanes);
  const LaneMask rest = event.lanes & (event.lanes - 1);
  bool same = true;
  for_each_lane(rest, [&](unsigned lane) {
    const std::int64_t step = static_cast<std::int64_t>(event.address[lane] - event.address[before]);
    same = same && (stride == 0 || step == stride);
    stride = step;
    before = lane;
  });
  return same ? stride : 0;
}

// Does each lane touch its own place in a row of elements, upwards or downwards, whoever is missing?
bool is_a_row(const MemoryEvent& event) {
  const unsigned first = first_lane(event.lanes);
  bool up = true, down = true;
  for_each_lane(event.lanes, [&](unsigned lane) {
    const std::uint64_t distance = std::uint64_t{lane - first} * bytes_a_lane(event);
    up = up && event.address[lane] == event.address[first] + distance;
    down = down && event.address[lane] == event.address[first] - distance;
  });
  return up || down;
}

}  // namespace

void MemoryAdvice::begin(const Machine& machine) {
  program_ = &machine.program();
  sites_.assign(program_->code.size(), {});
}

void MemoryAdvice::on_issue(const IssueEvent& event) {
  cycle_ = event.cycle;
  block_ = event.block;
  warp_ = event.warp;
  pc_ = event.pc;
}

void MemoryAdvice::on_memory(const MemoryEvent& event) {
  Site& site = sites_[static_cast<std::size_t>(pc_)];
  ++site.executions;
  if (count_lanes(event.lanes) < 2) return;
  if (event.space == MemoryEvent::Space::Shared) shared_access(site, event);
  else global_access(site, event);
}

void MemoryAdvice::keep(Site& site, Finding code, LaneMask lanes) {
  site.finding = RunFinding{};
  site.finding.code = code;
  site.finding.cycle = cycle_;
  site.finding.block = block_;
  site.finding.warp = warp_;
  site.finding.pc = pc_;
  site.finding.lanes = lanes;
}

// "word 35 (tile[35], lane 4)"
std::string MemoryAdvice::word_text(const MemoryEvent& event, std::uint64_t word, LaneMask lanes) const {
  const unsigned lane = first_lane(lanes);
  const std::int32_t object = event.object_of[lane];
  std::string text = "word " + number(word) + " (";
  if (object >= 0) {
    const std::uint64_t into = std::max(word * kBankBytes, event.address[lane]) - event.address[lane];
    const std::int64_t element = event.index[lane] + static_cast<std::int64_t>(into / event.bytes);
    text += program_->objects[static_cast<std::size_t>(object)].name + "[" + std::to_string(element) + "], ";
  }
  return text + lanes_in_words(lanes) + ")";
}

void MemoryAdvice::shared_access(Site& site, const MemoryEvent& event) {
  if (event.ways <= turns_without_conflict(event.lanes)) return;
  ++site.costly;
  if (event.ways <= site.worst) return;
  site.worst = event.ways;
  keep(site, Finding::BankConflict, event.lanes);
  const Words words = busiest_bank(event);
  const bool atomic = event.access == MemoryEvent::Access::Atomic;
  const std::string bank = number(words.begin()->first % kBanks);
  std::string& message = site.finding.message;
  std::size_t lanes = 0;
  for (const auto& [word, of] : words) lanes += count_lanes(of);
  message = atomic             ? "bank " + bank + " serves " + number(lanes) + " lanes one after another: "
            : words.size() > 1 ? "bank " + bank + " serves " + number(words.size()) + " different words: "
                               : "bank " + bank + " serves ";
  std::size_t k = 0;
  for (const auto& [word, of] : words) {
    if (k++ == kNamed) break;
    message += (k > 1 ? ", " : "") + word_text(event, word, of);
  }
  if (words.size() > kNamed) message += " and " + number(words.size() - kNamed) + " more";
  const unsigned parts = bytes_a_lane(event) / kBankBytes;
  message += "; " + number(event.ways) + "-way";
  if (parts > 1 && !atomic)
    message += ", as " + number(bytes_a_lane(event)) + " bytes a lane are served in " + number(parts) + " parts";
  if (atomic && words.size() == 1)
    site.finding.hint =
        "combine what the lanes bring first, by a reduction or a ballot, and let one lane do the atomic";
}

void MemoryAdvice::global_access(Site& site, const MemoryEvent& event) {
  if (is_a_row(event)) return;
  const PiecesTouched sectors = pieces_touched(event, kSectorBytes);
  if (sectors.touched <= sectors.least + 1) return;
  ++site.costly;
  const unsigned beyond = static_cast<unsigned>(sectors.touched - sectors.least);
  if (beyond <= site.worst) return;
  site.worst = beyond;
  keep(site, Finding::Uncoalesced, event.lanes);
  std::string& message = site.finding.message;
  message = number(count_lanes(event.lanes)) + " lanes touch " + number(sectors.touched) +
            " sectors of 32 bytes, where " + number(sectors.least) + " could hold what they " +
            (event.access == MemoryEvent::Access::Load ? "read" : "write") + ": ";
  const std::int64_t stride = stride_of(event);
  if (stride != 0) message += "lanes are " + number(static_cast<std::uint64_t>(std::abs(stride))) + " bytes apart, ";
  std::size_t k = 0;
  for_each_lane(event.lanes, [&](unsigned lane) {
    if (k++ >= kNamed || event.object_of[lane] < 0) return;
    message += (k > 1 ? ", " : "") + program_->params[static_cast<std::size_t>(event.object_of[lane])].name + "[" +
               std::to_string(event.index[lane]) + "]";
  });
  if (count_lanes(event.lanes) > kNamed) message += ", …";
}

void MemoryAdvice::finish(std::vector<RunFinding>& found) const {
  for (const Finding code : {Finding::BankConflict, Finding::Uncoalesced}) {
    for (const Site& site : sites_) {
      if (site.costly == 0 || site.finding.code != code) continue;
      found.push_back(site.finding);
      found.back().message +=
          "; " + advice::how_often(site.costly, site.executions) + (site.costly > 1 ? ", and this is the worst" : "");
    }
  }
}

}  // namespace warpsim
