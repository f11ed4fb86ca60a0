// Bank conflicts and scattered sectors: see advice_memory.h.
#include "sim/advice/advice_memory.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "sim/advice/advice_parts.h"
#include "sim/machine/machine.h"
#include "sim/memory/coalescing.h"
#include "sim/memory/memory.h"

namespace warpsim {
namespace {

constexpr std::size_t kNamed = 4;  // words and elements that a message names

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
  if (event.space == MemoryEvent::Space::Global) global_access(site, event);
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

// "tile[35]"; "" if it lies in no array.
std::string MemoryAdvice::name_of_word(const MemoryEvent& event, std::uint64_t word, unsigned lane) const {
  const std::int32_t object = event.object_of(lane);
  if (object < 0) return "";
  const std::uint64_t into = std::max(word * kBankBytes, event.address[lane]) - event.address[lane];
  const std::int64_t element = event.index_of(lane) + static_cast<std::int64_t>(into / event.bytes);
  return program_->element_name(event.space, object, element);
}

// "word 35 (tile[35], lane 4), word 67 (tile[67], lane 8) and 2 more"
Message MemoryAdvice::words_named(const MemoryEvent& event, const Words& words) const {
  Message list;
  auto at = std::next(words.begin(), static_cast<std::ptrdiff_t>(std::min(words.size(), kNamed)));
  while (at != words.begin()) {
    const auto& [word, of] = *--at;
    const std::string name = name_of_word(event, word, first_lane(of));
    Message lanes = lanes_named(of);
    if (!name.empty())
      lanes = {count_lanes(of) == 1 ? MessageId::ElementOfLane : MessageId::ElementOfLanes, {name, lane_ranges(of)}};
    list = list.empty() ? Message(MessageId::Word, {word, std::move(lanes)})
                        : Message(MessageId::WordThen, {word, std::move(lanes), std::move(list)});
  }
  if (words.size() > kNamed) list = {MessageId::AndMore, {std::move(list), words.size() - kNamed}};
  return list;
}

void MemoryAdvice::shared_access(Site& site, const MemoryEvent& event) {
  const unsigned ways = bank_ways(event);
  if (ways <= turns_without_conflict(event.lanes)) return;
  ++site.costly;
  if (ways <= site.worst) return;
  site.worst = ways;
  keep(site, Finding::BankConflict, event.lanes);
  const Words words = busiest_bank(event);
  const bool atomic = event.access == MemoryEvent::Access::Atomic;
  const std::uint64_t bank = words.begin()->first % kBanks;
  std::size_t lanes = 0;
  for (const auto& [word, of] : words) lanes += count_lanes(of);
  Message list = words_named(event, words);
  Message& message = site.finding.message;
  message = atomic             ? Message(MessageId::BankServesInTurn, {bank, lanes, std::move(list)})
            : words.size() > 1 ? Message(MessageId::BankServesWords, {bank, words.size(), std::move(list)})
                               : Message(MessageId::BankServes, {bank, std::move(list)});
  const unsigned parts = bytes_a_lane(event) / kBankBytes;
  add_sentence(message, parts > 1 && !atomic ? Message(MessageId::WaysInParts, {ways, bytes_a_lane(event), parts})
                                             : Message(std::to_string(ways) + "-way"));
  if (atomic && words.size() == 1) site.finding.hint = MessageId::TryCombineFirst;
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
  std::string elements;
  std::size_t k = 0;
  for_each_lane(event.lanes, [&](unsigned lane) {
    if (k++ >= kNamed || event.object_of(lane) < 0) return;
    elements += (k > 1 ? ", " : "") + program_->params[static_cast<std::size_t>(event.object_of(lane))].name + "[" +
                std::to_string(event.index_of(lane)) + "]";
  });
  if (count_lanes(event.lanes) > kNamed) elements += ", …";
  Message where = std::move(elements);
  if (const std::int64_t stride = std::abs(stride_of(event)); stride != 0)
    where = {MessageId::LanesApart, {stride, std::move(where)}};
  site.finding.message = {
      event.access == MemoryEvent::Access::Load ? MessageId::SectorsRead : MessageId::SectorsWritten,
      {count_lanes(event.lanes), sectors.touched, sectors.least, std::move(where)}};
}

void MemoryAdvice::finish(std::vector<RunFinding>& found) const {
  for (const Finding code : {Finding::BankConflict, Finding::Uncoalesced}) {
    for (const Site& site : sites_) {
      if (site.costly == 0 || site.finding.code != code) continue;
      Message often = advice::how_often(site.costly, site.executions);
      if (site.costly > 1) often = {MessageId::ThisIsWorst, {std::move(often)}};
      found.push_back(site.finding);
      add_sentence(found.back().message, std::move(often));
    }
  }
}

}  // namespace warpsim
