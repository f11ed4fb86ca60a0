// See code_recorder.h.
#include "traces/record/code_recorder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "isa/sass/kin.h"
#include "sim/code/shuffle_network.h"
#include "sim/memory/memory.h"
#include "traces/model/instruction_texts.h"
#include "traces/record/recorder.h"

namespace warpsim {
namespace {

constexpr unsigned kFirstUniformPredicate = 8;
constexpr unsigned kWordOfRegister = 4;  // bytes

std::uint32_t word_at(std::span<const std::byte> rows, unsigned number, unsigned lane) {
  const std::size_t at = (std::size_t{number} * sass::kLanes + lane) * kWordOfRegister;
  std::uint32_t word = 0;
  if (at + kWordOfRegister <= rows.size()) std::memcpy(&word, rows.data() + at, kWordOfRegister);
  return word;
}

// The register that is stored, or that a load goes to; null: none, and what is accessed is not known.
const sass::Operand* data_of(const sass::Instruction& insn, bool stores) {
  if (insn.name == "LDGSTS" || insn.name == "LDSM") return nullptr;
  const sass::Operand* found = nullptr;
  for (const sass::Operand& o : insn.operands)
    if (o.kind == sass::OperandKind::Register && o.is_destination != stores && (stores || found == nullptr)) found = &o;
  return found;
}

std::uint64_t bytes_of(Type type) { return static_cast<std::uint64_t>(bytes(type)); }

Type bits_of(unsigned size) { return size == 1 ? Type::B8 : size == 2 ? Type::B16 : size == 8 ? Type::B64 : Type::B32; }

}  // namespace

CodeRecorder::CodeRecorder(const TraceHead& head, const Program& program, const DeviceMemory& memory,
                           const TimingProfile& profile, TraceConsumer consumer)
    : head_(head), memory_(memory), profile_(profile), consumer_(std::move(consumer)) {
  note_named(program);
  for (const TraceRegister& reg : head_.registers) {
    std::string_view name = std::string_view(reg.name).substr(1);
    Known& known = registers_.emplace_back();
    const bool is_uniform = name.front() == 'U';
    if (is_uniform) name.remove_prefix(1);
    known.kind = name.front() == 'P' ? Known::Kind::Predicate : is_uniform ? Known::Kind::Uniform : Known::Kind::Wide;
    std::from_chars(name.data() + 1, name.data() + name.size(), known.number);
    if (is_uniform && known.kind == Known::Kind::Predicate) known.number += kFirstUniformPredicate;
  }
  for (const TraceInsn& insn : head_.code) {
    const TraceInsnRegisters& used = insn.registers;
    Touched& touched = touched_.emplace_back();
    touched.written.insert(used.writes.begin(), used.writes.end());
    for (const auto* list : {&used.value, &used.exchanged, &used.address})
      touched.read.insert(list->begin(), list->end());
    if (insn.guard.reg >= 0) touched.read.insert(insn.guard.reg);
  }
  if (consumer_.head) consumer_.head(head_);
}

void CodeRecorder::on_issue(const sass::CodeIssue& issue) {
  if (!cycle_.empty() && *cycle_.front().cycle != issue.cycle) finish();
  const sass::CodeStep& step = *issue.step;
  const sass::Instruction& insn = issue.machine->code()[static_cast<std::size_t>(step.at)];
  TraceEvent& event = cycle_.emplace_back();
  event.cycle = issue.cycle;
  event.block = issue.block;
  event.warp = issue.warp;
  event.pc = step.at;
  event.active = step.active;
  event.group = step.group;
  event.sub_core = issue.sub_core;
  if (step.space != sass::CodeStep::Space::None && step.active != 0) add_memory(event, issue, insn);
  if (const std::optional<ShuffleMode> mode = head_.code[static_cast<std::size_t>(step.at)].shuffle;
      mode && step.active != 0)
    add_exchange(event, issue, insn, *mode);
  add_writes(event, issue);
  add_masks(event, step, insn);
  add_stalls(event, issue);
}

void CodeRecorder::finish() {
  std::sort(cycle_.begin(), cycle_.end(), [](const TraceEvent& x, const TraceEvent& y) {
    return std::pair(x.block, x.warp) < std::pair(y.block, y.warp);
  });
  if (consumer_.event)
    for (const TraceEvent& event : cycle_) consumer_.event(event);
  cycle_.clear();
}

std::uint32_t CodeRecorder::bits(const Known& known, unsigned lane, const sass::CodeIssue& issue) const {
  const std::uint32_t warp = issue.machine_warp;
  switch (known.kind) {
    case Known::Kind::Wide: return word_at(issue.machine->registers(warp), known.number, lane);
    case Known::Kind::Uniform: return word_at(issue.machine->uniform_registers(warp), known.number, 0);
    case Known::Kind::Predicate: break;
  }
  return issue.machine->predicates(warp)[known.number] >> lane & 1;
}

void CodeRecorder::add_writes(TraceEvent& event, const sass::CodeIssue& issue) {
  const std::set<std::int32_t>& written = touched_[static_cast<std::size_t>(issue.step->at)].written;
  Held& held = held_[issue.machine_warp];
  if (held.bits.empty() || held.block != issue.block) {
    held.block = issue.block;
    held.bits.assign(registers_.size() * sass::kLanes, 0);
  }
  for (std::size_t reg = 0; reg < registers_.size(); ++reg) {
    const Known& known = registers_[reg];
    std::uint32_t* const before = &held.bits[reg * sass::kLanes];
    sass::Lanes lanes = written.count(static_cast<std::int32_t>(reg)) == 0 ? 0 : lanes_written(known, *issue.step);
    for (unsigned lane = 0; lane < sass::kLanes; ++lane) {
      const std::uint32_t now = bits(known, lane, issue);
      if (now != before[lane]) lanes |= sass::Lanes{1} << lane;
      before[lane] = now;
    }
    lanes &= static_cast<sass::Lanes>(head_.existing_lanes(issue.warp));
    if (lanes == 0) continue;
    TraceWrite& write = event.writes.emplace_back();
    write.reg = static_cast<std::int32_t>(reg);
    write.lanes = lanes;
    for_each_lane(write.lanes, [&](unsigned lane) { write.bits.push_back(before[lane]); });
  }
}

// What is uniform is the warp's, whichever lanes are there.
sass::Lanes CodeRecorder::lanes_written(const Known& known, const sass::CodeStep& step) const {
  const bool is_uniform = known.kind == Known::Kind::Uniform ||
                          (known.kind == Known::Kind::Predicate && known.number >= kFirstUniformPredicate);
  return is_uniform && step.active != 0 ? step.group : step.active;
}

// Its lanes come from a register or from the word, and so does the clamp: as they were before it.
void CodeRecorder::add_exchange(TraceEvent& event, const sass::CodeIssue& issue, const sass::Instruction& insn,
                                ShuffleMode mode) const {
  std::vector<const sass::Operand*> sources;  // what is exchanged, the lane, segment and clamp
  for (const sass::Operand& o : insn.operands)
    if (!o.is_destination) sources.push_back(&o);
  if (sources.size() != 3) return;
  const auto value = [&](const sass::Operand& o, unsigned lane) {
    if (o.kind != sass::OperandKind::Register) return static_cast<std::uint32_t>(o.value);
    const std::int32_t reg = o.number == sass::kZero ? -1 : find_register(head_, "%R" + std::to_string(o.number));
    return reg < 0 ? 0 : held_before(issue, static_cast<std::size_t>(reg), lane);
  };
  TraceExchange& exchange = event.exchange.emplace();
  exchange.lanes = event.active;
  for_each_lane(exchange.lanes, [&](unsigned lane) {
    const ShuffleSource from =
        shuffle_source(mode, lane, value(*sources[1], lane), value(*sources[2], lane), sass::kLanes - 1);
    exchange.from.push_back(static_cast<std::uint8_t>(from.lane));
    if (from.in_range) exchange.in_range |= lane_bit(lane);
    if (!has_lane(event.active, from.lane)) exchange.undefined |= lane_bit(lane);
  });
}

std::uint32_t CodeRecorder::held_before(const sass::CodeIssue& issue, std::size_t reg, unsigned lane) const {
  const auto found = held_.find(issue.machine_warp);
  return found == held_.end() || found->second.block != issue.block ? 0 : found->second.bits[reg * sass::kLanes + lane];
}

void CodeRecorder::add_masks(TraceEvent& event, const sass::CodeStep& step, const sass::Instruction& insn) const {
  if (insn.name == "EXIT") {
    if (step.gone != 0) event.masks.push_back({MaskEvent::Kind::Exit, step.gone, 0, -1, -1});
    return;
  }
  if (!sass::is_jump(insn.name)) return;
  TraceMask& mask = event.masks.emplace_back();
  mask.kind = MaskEvent::Kind::Branch;
  mask.taken = step.gone;
  mask.not_taken = step.group & ~step.gone;
  for (const sass::Operand& o : insn.operands)
    if (o.kind == sass::OperandKind::Target) mask.target = static_cast<std::int32_t>(o.value / sass::kWordBytes);
  if (mask.target >= static_cast<std::int32_t>(head_.code.size())) mask.target = -1;
}

void CodeRecorder::add_memory(TraceEvent& event, const sass::CodeIssue& issue, const sass::Instruction& insn) const {
  const sass::CodeStep& step = *issue.step;
  TraceMemory& memory = event.memory.emplace();
  memory.space = step.space == sass::CodeStep::Space::Shared  ? AddressSpace::Shared
                 : step.space == sass::CodeStep::Space::Local ? AddressSpace::Local
                                                              : AddressSpace::Global;
  memory.access = step.is_atomic ? TraceMemory::Access::Atomic
                  : step.stores  ? TraceMemory::Access::Store
                                 : TraceMemory::Access::Load;
  memory.lanes = step.active;
  const bool is_vector = step.bytes > kWordOfRegister && !step.is_atomic;
  memory.bytes = is_vector ? kWordOfRegister : step.bytes;
  memory.elements = is_vector ? step.bytes / kWordOfRegister : 1;
  memory.type = bits_of(memory.bytes);
  if (memory.is_shared()) memory.ways = bank_ways(step.active, step.address.data(), step.bytes, step.is_atomic);
  const std::uint64_t first = memory.is_shared() ? sass::kFirstShared : 0;
  for_each_lane(memory.lanes, [&](unsigned lane) { memory.address.push_back(step.address[lane] - first); });
  name_elements(memory);
  add_values(memory, issue, insn);
  if (step.is_atomic) add_atomic(memory);
  if (memory.space != AddressSpace::Local) return;
  std::size_t k = 0;
  for_each_lane(memory.lanes, [&](unsigned lane) {
    std::uint64_t& address = memory.address[k++];
    address = address % kLocalBytesOfLane + local_memory_of(head_, event, lane);
  });
}

void CodeRecorder::add_values(TraceMemory& memory, const sass::CodeIssue& issue, const sass::Instruction& insn) const {
  const bool is_store = memory.access == TraceMemory::Access::Store;
  const sass::Operand* const data = data_of(insn, is_store);
  const bool is_zero = data != nullptr && data->number == sass::kZero;
  if (data == nullptr || (is_zero && !is_store))  // nobody has what was loaded
    for (unsigned k = 0; k < memory.elements; ++k) memory.undefined[k] = memory.lanes;
  const auto registers = issue.machine->registers(issue.machine_warp);
  for_each_lane(memory.lanes, [&](unsigned lane) {
    for (unsigned k = 0; k < memory.elements; ++k) {
      std::byte bytes[8] = {};
      for (unsigned n = 0; n < memory.bytes && data != nullptr && !is_zero; ++n) {
        const unsigned at = k * memory.bytes + n;
        const std::uint32_t word = word_at(registers, data->number + at / kWordOfRegister, lane);
        bytes[n] = static_cast<std::byte>(word >> 8 * (at % kWordOfRegister));
      }
      memory.bits.push_back(load_bits(bytes, memory.bytes));
    }
  });
}

// Of the lanes that change one place the last one's value is there.
void CodeRecorder::add_atomic(TraceMemory& memory) const {
  std::map<std::uint64_t, unsigned> last;
  std::size_t k = 0;
  for_each_lane(memory.lanes, [&](unsigned lane) { last[memory.address[k++]] = lane; });
  k = 0;
  for_each_lane(memory.lanes, [&](unsigned lane) {
    const std::uint64_t address = memory.address[k++];
    const DeviceMemory::Allocation* const found =
        memory.space == AddressSpace::Global ? memory_.find(address, memory.bytes) : nullptr;
    memory.stored.push_back(found == nullptr ? 0 : load_bits(found->bytes + (address - found->address), memory.bytes));
    if (found == nullptr || last[address] != lane) memory.undefined_stored |= lane_bit(lane);
  });
}

// Arrays in shared memory have their places where the compiler was given them as one piece, or there is only one.
void CodeRecorder::note_named(const Program& program) {
  for (std::size_t k = 0; k < head_.params.size(); ++k) {
    const TraceParam& param = head_.params[k];
    if (param.is_buffer())
      named_.push_back({AddressSpace::Global, static_cast<std::int32_t>(k), param.type, param.address,
                        param.length * bytes_of(param.type)});
  }
  if (program.is_from_ptx && head_.shared.size() > 1) return;
  const std::vector<std::uint64_t> offsets = shared_offsets(program.objects, head_.lanes);
  for (std::size_t k = 0; k < head_.shared.size(); ++k)
    named_.push_back({AddressSpace::Shared, static_cast<std::int32_t>(k), head_.shared[k].type, offsets[k],
                      head_.shared[k].length * bytes_of(head_.shared[k].type)});
}

// The elements of the buffer or the array that all lanes access; else none has a name.
void CodeRecorder::name_elements(TraceMemory& memory) const {
  const std::uint64_t size = std::uint64_t{memory.bytes} * memory.elements;
  memory.object.assign(memory.address.size(), -1);
  memory.index.assign(memory.address.size(), 0);
  for (const Named& one : named_) {
    const std::uint64_t element = bytes_of(one.type), elements = size / element;
    const bool fits = size % element == 0 && (elements == 1 || elements == 2 || elements == 4);
    if (one.space != memory.space || !fits) continue;
    if (elements != 1 && memory.access == TraceMemory::Access::Atomic) continue;
    const bool all = std::all_of(memory.address.begin(), memory.address.end(), [&](std::uint64_t address) {
      return address >= one.address && address + size <= one.address + one.bytes &&
             (address - one.address) % element == 0;
    });
    if (!all) continue;
    memory.bytes = static_cast<unsigned>(element);
    memory.elements = static_cast<unsigned>(elements);
    memory.type = one.type;
    for (std::size_t k = 0; k < memory.address.size(); ++k) {
      memory.object[k] = one.index;
      memory.index[k] = static_cast<std::int64_t>((memory.address[k] - one.address) / element);
    }
    return;
  }
}

// The register that the one writes and the other reads, or that it writes once the one has read it; else one that is
// written: the control bits say only that the other waits.
std::int32_t CodeRecorder::between(std::int32_t one, std::int32_t other) const {
  const Touched &before = touched_[static_cast<std::size_t>(one)], &now = touched_[static_cast<std::size_t>(other)];
  const auto common = [](const std::set<std::int32_t>& x, const std::set<std::int32_t>& y) -> std::int32_t {
    for (const std::int32_t reg : x)
      if (y.count(reg) != 0) return reg;
    return -1;
  };
  if (const std::int32_t reg = common(before.written, now.read); reg >= 0) return reg;
  if (const std::int32_t reg = common(before.read, now.written); reg >= 0) return reg;
  return before.written.empty() ? -1 : *before.written.begin();
}

void CodeRecorder::add_stalls(TraceEvent& event, const sass::CodeIssue& issue) const {
  for (const Stall& stall : issue.stalls) {
    TraceStall& one = event.stalls.emplace_back();
    one.reason = stall.reason;
    one.cycles = stall.cycles;
    one.pc = stall.pc < static_cast<std::int32_t>(head_.code.size()) ? stall.pc : -1;
    const bool has_register = stall.reason == Stall::Reason::Dependency || stall.reason == Stall::Reason::Memory;
    if (has_register && one.pc >= 0) one.reg = between(one.pc, issue.step->at);
    if (stall.pipe >= 0) one.pipe = profile_.pipes[static_cast<std::size_t>(stall.pipe)].name;
  }
}

}  // namespace warpsim
