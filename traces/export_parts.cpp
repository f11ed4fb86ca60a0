// What several exports need.
#include "traces/export_parts.h"

#include <algorithm>

#include "traces/dataflow.h"
#include "traces/json_values.h"
#include "traces/phrases.h"
#include "traces/text_renderer_state.h"

namespace warpsim {

std::string plain_value(Type type, std::uint64_t bits, bool is_undefined, unsigned lanes) {
  if (is_undefined) return "";
  std::string text;
  append_json_value(text, type, bits, lanes);
  if (text.size() >= 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

namespace {

std::string shape_words(const Dim3& d) {
  std::string text = std::to_string(d.x);
  if (d.y > 1 || d.z > 1) text += "x" + std::to_string(d.y);
  if (d.z > 1) text += "x" + std::to_string(d.z);
  return text;
}

}  // namespace

std::string launch_text(const TraceHead& head, Language language) {
  std::string text;
  const auto add = [&](bool one, Phrase singular, Phrase plural, const std::string& value) {
    text += say(language, one ? singular : plural, {value});
  };
  if (!head.case_name.empty()) add(true, Phrase::Case, Phrase::Case, head.case_name);
  add(head.lanes == 1, Phrase::OneLane, Phrase::Lanes, std::to_string(head.lanes));
  add(head.grid.count() == 1, Phrase::OneBlock, Phrase::Blocks, shape_words(head.grid));
  add(head.block.count() == 1, Phrase::OneThread, Phrase::Threads, shape_words(head.block));
  return text;
}

std::string element_text(const TraceHead& head, const TraceMemory& memory, std::size_t place) {
  if (memory.object[place] < 0) return "?";
  return std::string(object_name(head, memory, place)) + "[" + std::to_string(memory.index[place]) + "]";
}

std::string access_text(const TraceMemory& memory, std::size_t place, unsigned lane, unsigned lanes, bool left) {
  std::string text;
  for (unsigned e = 0; e < memory.elements; ++e) {
    const std::size_t k = place * memory.elements + e;
    const LaneMask undefined = left ? memory.left_undefined(e) : memory.undefined[e];
    const bool is_undefined = has_lane(undefined, lane);
    text += (e == 0 ? "" : ", ") +
            (is_undefined && memory.elements > 1
                 ? "null"
                 : plain_value(memory.type, left ? memory.left(k) : memory.bits[k], is_undefined, lanes));
  }
  return memory.elements > 1 ? "[" + text + "]" : text;
}

std::string list_text(const TraceHead& head, const TraceWrite& write) {
  const Type type = head.registers[static_cast<std::size_t>(write.reg)].type;
  std::string text;
  std::size_t k = 0;
  for_each_lane(write.lanes, [&](unsigned lane) {
    const bool is_undefined = has_lane(write.undefined, lane);
    text += (k == 0 ? "" : ", ") + (is_undefined ? "null" : plain_value(type, write.bits[k], false, head.lanes));
    ++k;
  });
  return "[" + text + "]";
}

FlowTracker::FlowTracker(const TraceHead& head) : lanes_(head.lanes) {
  feeds_.resize(head.registers.size());
  for (const TraceInsn& insn : head.code) {
    const std::vector<std::string> read = flow_of(head, insn.pc).exchanged;
    exchanged_.push_back(read.empty() ? -1 : find_register(head, read.front()));
    if (exchanged_.back() >= 0) feeds_[static_cast<std::size_t>(exchanged_.back())] = true;
  }
}

std::vector<std::uint64_t> FlowTracker::producers(const TraceEvent& event, std::uint64_t number) {
  std::vector<std::uint64_t> found;
  std::vector<std::uint64_t>& writers = writers_[{event.block, event.warp}];
  writers.resize(feeds_.size() * lanes_);
  const std::int32_t reg = exchanged_[static_cast<std::size_t>(event.pc)];
  if (event.exchange && reg >= 0) {
    for (const std::uint8_t from : event.exchange->from) {
      const std::uint64_t writer = writers[static_cast<std::size_t>(reg) * lanes_ + from];
      if (writer != 0 && std::find(found.begin(), found.end(), writer) == found.end()) found.push_back(writer);
    }
    std::sort(found.begin(), found.end());
  }
  for (const TraceWrite& write : event.writes)
    for_each_lane(write.lanes,
                  [&](unsigned lane) { writers[static_cast<std::size_t>(write.reg) * lanes_ + lane] = number; });
  return found;
}

bool FlowTracker::feeds_exchange(const TraceEvent& event) const {
  return std::any_of(event.writes.begin(), event.writes.end(),
                     [this](const TraceWrite& write) { return feeds_[static_cast<std::size_t>(write.reg)]; });
}

}  // namespace warpsim
