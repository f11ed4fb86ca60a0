#include "tools/cuda/recording/gpu_trace.h"

#include <algorithm>
#include <array>
#include <utility>

#include "isa/program/cfg.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "isa/text/check.h"
#include "sim/code/register_file.h"
#include "traces/record/recorder.h"

namespace warpsim {
namespace {

// One executed instruction of one lane.
struct Record {
  std::int32_t pc = 0;
  bool executed = false, in_range = false;
  unsigned from = 0;
  const std::uint64_t* values = nullptr;
};

std::vector<Record> records_of(const Program& program, const std::uint64_t* words) {
  std::vector<Record> records;
  const std::uint64_t count = words[0];
  for (std::uint64_t at = 1; at < count;) {
    const std::uint64_t head = words[at++];
    Record record{static_cast<std::int32_t>(head & 0xffffffff), (head & ptx_record::kExecuted) != 0,
                  (head & ptx_record::kInRange) != 0, static_cast<unsigned>(head >> ptx_record::kFromShift & 0xff),
                  words + at};
    WARPSIM_CHECK(record.pc >= 0 && static_cast<std::size_t>(record.pc) < program.code.size());
    if (record.executed) at += ptx_record::values(program.code[static_cast<std::size_t>(record.pc)]);
    records.push_back(record);
  }
  return records;
}

// The lanes of a warp, each with its records and its position in them.
struct WarpLog {
  std::uint32_t block = 0, warp = 0;
  std::array<std::vector<Record>, kPtxLanes> lanes;
  std::array<std::size_t, kPtxLanes> next{};

  bool has_more(unsigned lane) const { return next[lane] < lanes[lane].size(); }
  const Record& record(unsigned lane) const { return lanes[lane][next[lane]]; }
  LaneMask living() const {
    LaneMask mask = 0;
    for (unsigned l = 0; l < kPtxLanes; ++l)
      if (has_more(l)) mask |= lane_bit(l);
    return mask;
  }
  // The lanes at the lowest pc.
  LaneMask group() const {
    LaneMask mask = 0;
    std::int32_t lowest = 0;
    for_each_lane(living(), [&](unsigned l) {
      if (mask == 0 || record(l).pc < lowest) {
        lowest = record(l).pc;
        mask = 0;
      }
      if (record(l).pc == lowest) mask |= lane_bit(l);
    });
    return mask;
  }
};

// Tells a recorder what the machine would.
class Replay {
 public:
  Replay(const Machine& machine, Recorder& recorder)
      : program_(machine.program()), recorder_(recorder), cfg_(build_cfg(program_)) {
    const std::vector<std::uint64_t> offsets = shared_offsets(program_.objects, machine.lanes());
    for (std::size_t k = 0; k < program_.objects.size(); ++k) {
      const Object& s = program_.objects[k];
      shared_.push_back({static_cast<std::int32_t>(k), offsets[k],
                         static_cast<std::uint64_t>(s.length.evaluate(machine.lanes())),
                         static_cast<std::uint64_t>(bytes(s.type))});
    }
    for (std::size_t k = 0; k < program_.params.size(); ++k) {
      const Param& p = program_.params[k];
      if (!p.is_buffer()) continue;
      const std::int32_t index = static_cast<std::int32_t>(k);
      buffers_.push_back({index, machine.buffer_address(index), machine.buffer(p.name).bits.size(),
                          static_cast<std::uint64_t>(bytes(p.type))});
    }
  }

  void issue(WarpLog& warp) {
    const LaneMask group = warp.group();
    const std::int32_t pc = warp.record(first_lane(group)).pc;
    const Insn& insn = program_.code[static_cast<std::size_t>(pc)];
    LaneMask active = 0;
    for_each_lane(group, [&](unsigned l) {
      if (warp.record(l).executed) active |= lane_bit(l);
    });
    recorder_.on_issue({0, warp.block, warp.warp, pc, active, group, warp.living(), &insn});
    ++instructions_;
    values_used_ = 0;
    const Lift lift = info(insn.op).lift;
    if (lift == Lift::Shuffle) exchange(warp, active);
    if (lift == Lift::Load || lift == Lift::Store) memory(warp, insn, active);
    if (lift == Lift::Atomic || lift == Lift::Mbarrier) values_used_ = ptx_record::values(insn) - destinations(insn);
    writes(warp, insn, active);
    if (lift == Lift::Branch || insn.op == Op::Exit) mask(insn, pc, active, group);
    for_each_lane(group, [&](unsigned l) { ++warp.next[l]; });
  }
  std::uint64_t instructions() const { return instructions_; }

 private:
  // Where a buffer or a shared array lies.
  struct Extent {
    std::int32_t object = -1;  // parameter or shared array
    std::uint64_t address = 0, length = 0, element_bytes = 1;
  };

  static unsigned destinations(const Insn& insn) {
    unsigned count = 0;
    for (std::size_t k = 0; k < insn.operands.size(); ++k) count += ptx_record::is_destination(insn, k) ? 1 : 0;
    return count;
  }

  void exchange(const WarpLog& warp, LaneMask active) {
    std::array<std::uint8_t, kMaxLanes> from{};
    LaneMask in_range = 0;
    for_each_lane(active, [&](unsigned l) {
      from[l] = static_cast<std::uint8_t>(warp.record(l).from);
      if (warp.record(l).in_range) in_range |= lane_bit(l);
    });
    recorder_.on_exchange({active, from.data(), in_range, 0});
  }

  // A load's values are what it writes; a store's are after its address.
  void memory(const WarpLog& warp, const Insn& insn, LaneMask active) {
    const OpInfo& row = info(insn.op);
    const bool shared = row.space == AddressSpace::Shared, stores = row.lift == Lift::Store;
    const unsigned elements = std::max(1U, static_cast<unsigned>(warpsim::elements(row.form)));
    const unsigned size = static_cast<unsigned>(bytes(insn.type));
    std::array<std::uint64_t, kMaxLanes> address{};
    std::array<std::int64_t, kMaxLanes> index{};
    std::array<std::int32_t, kMaxLanes> object{};
    std::vector<std::uint64_t> value(std::size_t{elements} * kMaxLanes);
    for_each_lane(active, [&](unsigned l) {
      const std::uint64_t* words = warp.record(l).values;
      address[l] = words[0];
      object[l] = object_at(shared ? shared_ : buffers_, words[0], index[l]);
      for (unsigned e = 0; e < elements; ++e)
        value[e * kMaxLanes + l] = words[1 + e] & (size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * size) - 1);
    });
    ElementNames names(object.data(), index.data());
    recorder_.on_memory({shared ? MemoryEvent::Space::Shared : MemoryEvent::Space::Global,
                         stores ? MemoryEvent::Access::Store : MemoryEvent::Access::Load, size, elements, active,
                         address.data(), &names, value.data(), nullptr, nullptr});
    values_used_ = 1;  // a load's registers; a store writes none
  }

  // The buffer or shared array at an address, and the element there; -1 for none.
  static std::int32_t object_at(const std::vector<Extent>& objects, std::uint64_t address, std::int64_t& index) {
    index = 0;
    for (const Extent& one : objects) {
      if (address < one.address || address - one.address >= one.length * one.element_bytes) continue;
      index = static_cast<std::int64_t>((address - one.address) / one.element_bytes);
      return one.object;
    }
    return -1;
  }

  void writes(const WarpLog& warp, const Insn& insn, LaneMask active) {
    for (std::size_t slot = 0; slot < insn.operands.size(); ++slot) {
      if (!ptx_record::is_destination(insn, slot)) continue;
      const std::int32_t reg = insn.operands[slot].reg;
      const RegClass cls = program_.registers[static_cast<std::size_t>(reg)].cls;
      std::array<std::uint64_t, kMaxLanes> row{};
      LaneMask truth = 0;
      for_each_lane(active, [&](unsigned l) {
        row[l] = warp.record(l).values[values_used_];
        if (row[l] != 0) truth |= lane_bit(l);
      });
      ++values_used_;
      const bool predicate = cls == RegClass::Pred;
      recorder_.on_write({reg, active, predicate ? static_cast<const void*>(&truth) : row.data(), cls, !predicate});
    }
  }

  void mask(const Insn& insn, std::int32_t pc, LaneMask active, LaneMask group) {
    if (insn.op == Op::Exit) recorder_.on_mask({MaskEvent::Kind::Exit, active, group & ~active, kExit, kExit});
    else
      recorder_.on_mask(
          {MaskEvent::Kind::Branch, active, group & ~active, insn.operands[0].target, cfg_.reconvergence_pc(pc)});
  }

  const Program& program_;
  Recorder& recorder_;
  Cfg cfg_;
  std::vector<Extent> buffers_, shared_;
  unsigned values_used_ = 0;  // of the record's values, those that were used
  std::uint64_t instructions_ = 0;
};

bool waits_for_block(const Program& program, const WarpLog& warp) {
  const LaneMask group = warp.group();
  if (group == 0) return false;
  const Insn& insn = program.code[static_cast<std::size_t>(warp.record(first_lane(group)).pc)];
  return insn.op == Op::BarSync || info(insn.op).lift == Lift::BarrierReduce;
}

// Warps take turns, an instruction each; at a barrier of the block a warp waits until no other can continue.
void replay_block(Replay& replay, const Program& program, std::vector<WarpLog>& warps) {
  const auto alive = [](const WarpLog& w) { return w.living() != 0; };
  while (std::any_of(warps.begin(), warps.end(), alive)) {
    bool moved = false;
    for (WarpLog& w : warps) {
      if (!alive(w) || waits_for_block(program, w)) continue;
      replay.issue(w);
      moved = true;
    }
    if (moved) continue;
    for (WarpLog& w : warps)
      if (alive(w)) replay.issue(w);
  }
}

RecorderOptions recorder_options(const GpuOutcome& outcome) {
  RecorderOptions options;
  options.backend = outcome.device;
  options.hardware = true;
  options.lesson = outcome.lesson;
  options.case_name = outcome.case_name;
  options.expected = outcome.expected;
  return options;
}

void begin(Recorder& recorder, const Machine& machine, const GpuOutcome& outcome) {
  recorder.begin(
      machine.program(), machine.config(), machine.arguments(),
      [&machine](std::int32_t param) { return machine.buffer_address(param); },
      [&outcome](const std::string& name) {
        const auto found = outcome.buffers.find(name);
        return found == outcome.buffers.end() ? Array{} : found->second;
      });
}

}  // namespace

std::uint64_t GpuLog::wanted() const {
  std::uint64_t most = 0;
  for (std::size_t t = 0; t < words.size(); t += words_a_thread) most = std::max(most, words[t]);
  return most;
}

Trace gpu_result(const Machine& machine, const GpuOutcome& outcome) {
  Recorder recorder(recorder_options(outcome));
  begin(recorder, machine, outcome);
  recorder.finish({});
  return recorder.take();
}

Trace gpu_trace(const Machine& machine, const GpuLog& log, const GpuOutcome& outcome) {
  WARPSIM_CHECK(log.wanted() <= log.words_a_thread);
  Recorder recorder(recorder_options(outcome));
  begin(recorder, machine, outcome);
  Replay replay(machine, recorder);
  const std::uint64_t blocks = machine.config().grid.count();
  for (std::uint64_t block = 0; block < blocks; ++block) {
    std::vector<WarpLog> warps(machine.warps_per_block());
    for (std::uint32_t w = 0; w < warps.size(); ++w) {
      warps[w].block = static_cast<std::uint32_t>(block);
      warps[w].warp = w;
      for_each_lane(machine.existing_lanes(w), [&](unsigned l) {
        const std::uint64_t thread = block * log.threads_a_block + std::uint64_t{w} * kPtxLanes + l;
        warps[w].lanes[l] = records_of(machine.program(), log.words.data() + thread * log.words_a_thread);
      });
    }
    replay_block(replay, machine.program(), warps);
  }
  RunResult result;
  result.instructions = replay.instructions();
  recorder.finish(result);
  return recorder.take();
}

}  // namespace warpsim
