// An instruction in Mojo's words: the beginning of a sentence.
#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/program/program.h"
#include "traces/replay/dataflow.h"
#include "traces/replay/phase_view.h"
#include "traces/sentence/sentence.h"
#include "traces/sentence/sentence_parts.h"

namespace warpsim {

std::string bare(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != '%' && c != '{' && c != '}') out += c;
  return out;
}

namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// What all lanes of a shuffle share: the lane or the distance that they ask for.
std::optional<std::uint64_t> shared_distance(const TraceExchange& exchange, ShuffleMode mode) {
  std::optional<std::uint64_t> shared;
  bool same = true;
  std::size_t k = 0;
  for_each_lane(exchange.lanes, [&](unsigned lane) {
    const unsigned from = exchange.from[k++];
    if (!has_lane(exchange.in_range, lane)) return;
    const std::uint64_t asked = operand_for(mode, lane, from);
    same = same && shared.value_or(asked) == asked;
    shared = asked;
  });
  return same ? shared : std::nullopt;
}

// "shuffle_xor": Mojo's names for shuffles, which the table has.
std::string_view mojo_name(const OpInfo& row) {
  constexpr std::string_view kMojo = "Mojo warp.";
  if (row.lift != Lift::Shuffle || !row.aka.starts_with(kMojo)) return row.mnemonic;
  const std::string_view name = row.aka.substr(kMojo.size());
  return name.substr(0, name.find('('));
}

}  // namespace

std::string call_text(const TraceHead& head, const TraceEvent& event) {
  const TraceInsn* insn = find_insn(head, event.pc);
  if (insn == nullptr) return "?";
  const OpInfo* row = insn->row;
  const bool network = event.exchange && row != nullptr && (row->lift == Lift::Shuffle || row->lift == Lift::Broadcast);
  const std::span<const Slot> form = row == nullptr ? std::span<const Slot>() : slots(row->form);
  std::vector<std::string> operands;
  for (std::size_t k = 0; k < form.size() && k < insn->operands.size(); ++k) {
    const Slot& slot = form[k];
    std::string text = bare(insn->operands[k]);
    if (slot.role == Role::Dst || slot.role == Role::DstPred || is_hidden(slot)) continue;
    const bool distance = network && (slot.name == "b" || slot.name == "lane");
    if (distance && !is_number(text)) {
      if (const std::optional<std::uint64_t> shared = shared_distance(*event.exchange, shuffle_mode(row->traits)))
        text = std::to_string(*shared);
    }
    const bool raw_clamp = network && slot.name == "c" && !text.starts_with("width=");
    const bool members = network && slot.type == SlotType::Mask;
    if (!text.empty() && !raw_clamp && !members) operands.push_back(std::move(text));
  }
  std::string out(row == nullptr ? std::string_view(insn->op) : mojo_name(*row));
  for (std::size_t k = 0; k < operands.size(); ++k) out += (k == 0 ? "(" : ", ") + operands[k];
  return operands.empty() ? out : out + ")";
}

}  // namespace warpsim
