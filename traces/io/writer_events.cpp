// The events of a trace as JSON text.
//
// Shapes: the same line in a document and in NDJSON.
// Units:  none.
// Errors: none.
// Source: traces/FORMAT.md, "Events".
#include "sim/memory/memory.h"
#include "traces/io/json_text.h"
#include "traces/io/json_values.h"
#include "traces/io/writer.h"

namespace warpsim {

void TraceWriter::event(const TraceEvent& event) {
  if (shape_ == TraceShape::Document) buffer_ += first_event_ ? "\n" : ",\n";
  first_event_ = false;
  members(event);
  if (shape_ == TraceShape::Ndjson) buffer_ += '\n';
  flush_if_large();
}

std::string TraceWriter::line(const TraceEvent& event) {
  const std::size_t start = buffer_.size();
  members(event);
  std::string text = buffer_.substr(start);
  buffer_.resize(start);
  return text;
}

void TraceWriter::members(const TraceEvent& event) {
  buffer_ += "{\"cycle\": ";
  if (event.cycle) append_json_unsigned(buffer_, *event.cycle);
  else buffer_ += "null";
  number_member(buffer_, "block", event.block);
  number_member(buffer_, "warp", event.warp);
  number_member(buffer_, "pc", static_cast<std::uint64_t>(event.pc));
  buffer_ += op_keys_[static_cast<std::size_t>(event.pc)];
  append_json_mask(buffer_, event.active, lanes_);
  if (event.group != event.active) mask_member(buffer_, "group", event.group, lanes_);
  if (event.phase) {
    append_json_key(buffer_, "phase");
    buffer_ += '{';
    number_member(buffer_, "index", static_cast<std::uint64_t>(event.phase->phase));
    number_member(buffer_, "number", event.phase->number);
    number_member(buffer_, "step", event.phase->step);
    text_member(buffer_, "title", event.phase->title);
    buffer_ += '}';
  }
  if (event.exchange) exchange(*event.exchange);
  if (event.memory) memory("memory", *event.memory);
  if (event.source) memory("source", *event.source);
  if (!event.writes.empty()) writes("writes", event.writes);
  if (!event.masks.empty()) masks(event.masks);
  if (event.sub_core >= 0) number_member(buffer_, "sub_core", static_cast<std::uint64_t>(event.sub_core));
  if (!event.stalls.empty()) stalls(event.stalls);
  buffer_ += '}';
}

void TraceWriter::exchange(const TraceExchange& exchange) {
  append_json_key(buffer_, "exchange");
  buffer_ += '{';
  mask_member(buffer_, "lanes", exchange.lanes, lanes_);
  list_member(buffer_, "from", exchange.from.size(),
              [&](std::size_t k) { append_json_unsigned(buffer_, exchange.from[k]); });
  mask_member(buffer_, "in_range", exchange.in_range, lanes_);
  mask_member(buffer_, "undefined", exchange.undefined, lanes_);
  buffer_ += '}';
}

void TraceWriter::memory(std::string_view key, const TraceMemory& memory) {
  const bool shared = memory.is_shared();
  const std::vector<std::string>& names = shared ? shared_names_ : object_names_;
  const auto append_object = [&](std::int32_t object) {
    if (object < 0) buffer_ += "null";
    else buffer_ += names[static_cast<std::size_t>(object)];
  };
  append_json_key(buffer_, key);
  buffer_ += '{';
  text_member(buffer_, "space", name(memory.space));
  text_member(buffer_, "access", name(memory.access));
  text_member(buffer_, "type", name(memory.type));
  if (memory.elements > 1) number_member(buffer_, "elements", memory.elements);
  mask_member(buffer_, "lanes", memory.lanes, lanes_);
  bool one_object = true;
  for (const std::int32_t object : memory.object) one_object = one_object && object == memory.object.front();
  if (one_object && !memory.object.empty()) {
    append_json_key(buffer_, "object");
    append_object(memory.object.front());
  } else {
    list_member(buffer_, "object", memory.object.size(), [&](std::size_t k) { append_object(memory.object[k]); });
  }
  list_member(buffer_, "index", memory.index.size(), [&](std::size_t k) {
    if (memory.object[k] < 0) buffer_ += "null";
    else append_json_signed(buffer_, memory.index[k]);
  });
  list_member(buffer_, "address", memory.address.size(),
              [&](std::size_t k) { append_json_address(buffer_, memory.address[k]); });
  LaneMask rest = memory.lanes;
  const auto value = [&](std::uint64_t bits, LaneMask undefined) {
    if ((undefined & rest & (~rest + 1)) != 0) buffer_ += "null";
    else append_json_value(buffer_, memory.type, bits, lanes_);
  };
  list_member(buffer_, "values", memory.bits.size() / memory.elements, [&](std::size_t k) {
    if (memory.elements > 1) buffer_ += '[';
    for (unsigned e = 0; e < memory.elements; ++e) {
      if (e != 0) buffer_ += ", ";
      value(memory.bits[k * memory.elements + e], memory.undefined[e]);
    }
    if (memory.elements > 1) buffer_ += ']';
    rest &= rest - 1;
  });
  if (memory.access == TraceMemory::Access::Atomic) {
    rest = memory.lanes;
    list_member(buffer_, "stored", memory.stored.size(), [&](std::size_t k) {
      value(memory.stored[k], memory.undefined_stored);
      rest &= rest - 1;
    });
  }
  memory_lanes(memory);
  buffer_ += '}';
}

// What is listed a lane where there is more to say.
void TraceWriter::memory_lanes(const TraceMemory& memory) {
  if (!memory.order.empty())
    list_member(buffer_, "order", memory.order.size(),
                [&](std::size_t k) { append_json_unsigned(buffer_, memory.order[k]); });
  if (!memory.read.empty())
    list_member(buffer_, "read", memory.read.size(),
                [&](std::size_t k) { append_json_unsigned(buffer_, memory.read[k]); });
  if (memory.is_shared()) {
    list_member(buffer_, "bank", memory.address.size(),
                [&](std::size_t k) { append_json_unsigned(buffer_, memory.address[k] / kBankBytes % kBanks); });
    number_member(buffer_, "ways", memory.ways);
  }
}

void TraceWriter::writes(std::string_view name, const std::vector<TraceWrite>& writes) {
  append_json_key(buffer_, name);
  buffer_ += '[';
  for (std::size_t n = 0; n < writes.size(); ++n) {
    const TraceWrite& write = writes[n];
    if (n != 0) buffer_ += ", ";
    buffer_ += register_keys_[static_cast<std::size_t>(write.reg)];
    append_json_mask(buffer_, write.lanes, lanes_);
    buffer_ += ", \"values\": [";
    const Type type = register_types_[static_cast<std::size_t>(write.reg)];
    LaneMask rest = write.lanes;
    for (std::size_t k = 0; k < write.bits.size(); ++k, rest &= rest - 1) {
      if (k != 0) buffer_ += ", ";
      if ((write.undefined & rest & (~rest + 1)) != 0) buffer_ += "null";
      else append_json_value(buffer_, type, write.bits[k], lanes_);
    }
    buffer_ += "]}";
  }
  buffer_ += ']';
}

void TraceWriter::masks(const std::vector<TraceMask>& masks) {
  list_member(buffer_, "masks", masks.size(), [&](std::size_t k) {
    const TraceMask& mask = masks[k];
    buffer_ += '{';
    text_member(buffer_, "kind", name(mask.kind));
    if (mask.kind == TraceMask::Kind::Branch) {
      mask_member(buffer_, "taken", mask.taken, lanes_);
      mask_member(buffer_, "not_taken", mask.not_taken, lanes_);
      pc_member(buffer_, "target", mask.target);
      pc_member(buffer_, "reconvergence", mask.reconvergence);
    } else {
      mask_member(buffer_, "lanes", mask.taken, lanes_);
      if (mask.kind == TraceMask::Kind::Reconverge) pc_member(buffer_, "pc", mask.target);
    }
    buffer_ += '}';
  });
}

void TraceWriter::stalls(const std::vector<TraceStall>& stalls) {
  list_member(buffer_, "stalls", stalls.size(), [&](std::size_t k) {
    const TraceStall& stall = stalls[k];
    buffer_ += '{';
    text_member(buffer_, "reason", stall.reason.word);
    number_member(buffer_, "cycles", stall.cycles);
    if (stall.reg >= 0) text_member(buffer_, "register", register_names_[static_cast<std::size_t>(stall.reg)]);
    if (stall.pc >= 0) pc_member(buffer_, "pc", stall.pc);
    if (!stall.pipe.empty()) text_member(buffer_, "pipe", stall.pipe);
    buffer_ += '}';
  });
}

}  // namespace warpsim
