// Where values came from: hand-worked slices of a butterfly and a scan, and all programs against brute
// force, which changes one input element at a time and looks what changes.
#include "traces/replay/dataflow.h"
#include "traces/io/window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "tests/support/every_program.h"

namespace warpsim {
namespace {

using testing::program_trace;

// The n-th event of an instruction, from 0.
std::size_t nth(const Trace& trace, const std::string& op, int n) {
  for (std::size_t k = 0; k < trace.events.size(); ++k)
    if (trace.head.code[static_cast<std::size_t>(trace.events[k].pc)].op == op && n-- == 0) return k;
  ADD_FAILURE() << "no such " << op;
  return 0;
}

std::string heard(const Trace& trace, const Dataflow& flow, std::size_t event, unsigned lane) {
  return element_ranges(trace.head, flow.contributions({event, lane, trace.events[event].writes.at(0).reg, 0}));
}

TEST(Dataflow, ButterflyByHand) {
  const Trace trace = program_trace("p26/butterfly_parallel_max", "worked", 8);
  const Dataflow flow(trace);
  // 000's Step 1 exchanges halves, Step 2 quarters, Step 3 pairs.
  EXPECT_EQ(heard(trace, flow, nth(trace, "ld.global", 0), 3), "3");
  EXPECT_EQ(heard(trace, flow, nth(trace, "shfl.bfly", 0), 0), "4");
  EXPECT_EQ(heard(trace, flow, nth(trace, "max", 0), 0), "0, 4");
  EXPECT_EQ(heard(trace, flow, nth(trace, "max", 0), 7), "3, 7");
  EXPECT_EQ(heard(trace, flow, nth(trace, "max", 1), 0), "0, 2, 4, 6");
  EXPECT_EQ(heard(trace, flow, nth(trace, "shfl.bfly", 2), 0), "1, 3, 5, 7");
  EXPECT_EQ(heard(trace, flow, nth(trace, "max", 2), 5), "0..7");
  // The offset comes from constants alone.
  EXPECT_EQ(heard(trace, flow, nth(trace, "shr", 1), 5), "");

  // Lane 0 after Step 2: max of lane 0's own max and what came from lane 2; each of those is a max of two loads.
  const std::size_t second = nth(trace, "max", 1), first = nth(trace, "max", 0), load = nth(trace, "ld.global", 0);
  const std::size_t shuffle_1 = nth(trace, "shfl.bfly", 0), shuffle_2 = nth(trace, "shfl.bfly", 1);
  const std::int32_t max_val = find_register(trace.head, "%max_val"), other = trace.events[shuffle_1].writes.at(0).reg;
  std::vector<FlowValue> expected = {
      {second, 0, max_val, 0},  {shuffle_2, 0, other, 0}, {first, 0, max_val, 0}, {first, 2, max_val, 0},
      {shuffle_1, 0, other, 0}, {shuffle_1, 2, other, 0}, {load, 0, max_val, 0},  {load, 2, max_val, 0},
      {load, 4, max_val, 0},    {load, 6, max_val, 0},
  };
  std::vector<FlowValue> slice = flow.slice({second, 0, max_val, 0});
  std::sort(slice.begin(), slice.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(slice, expected);
}

TEST(Dataflow, ScanByHand) {
  const Trace trace = program_trace("scan/hillis_steele_inclusive", "test", 8);
  const Dataflow flow(trace);
  const std::size_t store = nth(trace, "st.global", 0);
  for (unsigned lane = 0; lane < 8; ++lane) {
    const std::string all = lane == 0 ? "0" : "0.." + std::to_string(lane);
    EXPECT_EQ(element_ranges(trace.head, flow.contributions({store, lane, -1, 0})), all);
  }
  // After the shuffle by 2, lane 5 has received the sum over lanes 2 and 3.
  EXPECT_EQ(heard(trace, flow, nth(trace, "shfl.up", 1), 5), "2..3");
}

// Through shared memory, and through what a store left of a tile.
TEST(Dataflow, SharedMemory) {
  const Trace trace = program_trace("twin/reduction_shared", "test", 8);
  const Dataflow flow(trace);
  EXPECT_EQ(element_ranges(trace.head, flow.contributions({nth(trace, "st.global", 0), 0, -1, 0})), "0..7");
  EXPECT_EQ(heard(trace, flow, nth(trace, "add", 1), 1), "1, 5");  // tile[1] += tile[5]; add 0 is its address
}

constexpr const char* kCollectives = R"(
.kernel t (in input: u32[size], inout out: u32[size], param size: u32 = WARP_SZ)
.reg .u64 %wide
.shared u32 tile[64]
        ld.global.u32   %v, input[%gtid]
        setp.gt.u32     %p, %v, 2
        reduce.add.u32  %sum, %v
        scan.add.exclusive.u32 %before, %v
        scan.add.u32    %upto, %v
        vote.any.pred   %any, !%p
        match.any.b32   %same, %v
        shfl.down.b32   %down|%there, %v, 1
        selp.u32        %chosen, %v, 7, %p
        vote.ballot.mask %half, %p, 0x3
        @%p add.u32     %v, %v, 1
        ld.shared.u32   %none, tile[%laneid]
        atom.global.add.u32 %old, out[0], %v
        atom.global.exch.b32 %swapped, out[1], %v
        ld.global.u32   %zero, out[0]
        ld.global.u32   %one, out[1]
        mov.u32         %lane, %laneid
        exit
.case test
    input = i + 1
    out = 0
)";

TEST(Dataflow, EveryInstructionAcrossLanes) {
  std::string text = kCollectives;
  const std::string mask = "        vote.ballot.mask %half, %p, 0x3\n";
  text.erase(text.find(mask), mask.size());
  const Trace trace = testing::text_trace(text, 4);
  const Dataflow flow(trace);
  const auto at = [&](const std::string& op, int n, unsigned lane) {
    return heard(trace, flow, nth(trace, op, n), lane);
  };
  const std::string all = "input[0..3]";
  EXPECT_EQ(at("reduce.add", 0, 1), all);
  EXPECT_EQ(at("scan.add", 0, 0), "");
  EXPECT_EQ(at("scan.add", 0, 2), "input[0..1]");
  EXPECT_EQ(at("scan.add", 1, 2), "input[0..2]");
  EXPECT_EQ(at("vote.any", 0, 3), all);
  EXPECT_EQ(at("match.any", 0, 0), all);
  EXPECT_EQ(at("shfl.down", 0, 0), "input[1]");
  EXPECT_EQ(at("shfl.down", 0, 3), "input[3]");         // out of range: its own
  const std::size_t down = nth(trace, "shfl.down", 0);  // whether there is a lane to ask has nothing to do with values
  EXPECT_TRUE(flow.contributions({down, 0, trace.events[down].writes.at(1).reg, 0}).empty());
  EXPECT_EQ(at("selp", 0, 2), "input[2]");
  EXPECT_EQ(at("add", 0, 2), "input[2]");
  EXPECT_EQ(at("ld.shared", 0, 1), "");
  EXPECT_EQ(at("mov", 0, 1), "");
  // Atomics take turns from the lowest lane: each finds what those before it left. Of an exchange that is one lane's.
  EXPECT_EQ(at("atom.global.add", 0, 0), "out[0]");
  EXPECT_EQ(at("atom.global.add", 0, 2), "input[0..1], out[0]");
  EXPECT_EQ(at("atom.global.exch", 0, 0), "out[1]");
  EXPECT_EQ(at("atom.global.exch", 0, 2), "input[1]");
  EXPECT_EQ(at("ld.global", 1, 0), "input[0..3], out[0]");
  EXPECT_EQ(at("ld.global", 2, 0), "input[3]");
  // Shared memory that was never written, and where it says so.
  const std::size_t none = nth(trace, "ld.shared", 0);
  const std::vector<FlowSource> sources = flow.sources({none, 1, trace.events[none].writes.at(0).reg, 0});
  ASSERT_EQ(sources.size(), 1U);
  EXPECT_EQ(sources[0].kind, FlowSource::Kind::Undefined);
}

// In a window, what was there before it is neither undefined nor an input.
TEST(Dataflow, BeforeAWindow) {
  const Trace trace = testing::text_trace(R"(
.kernel t (in input: u32[size], inout out: u32[size], param size: u32 = WARP_SZ)
.shared u32 s[4]
        ld.global.u32   %v, input[%gtid]
        st.global.u32   out[%gtid], %v
        setp.lt.u32     %low, %laneid, 2
        @%low st.shared.u32 s[%laneid], %v
        add.u32         %w, %v, 1
        ld.global.u32   %x, out[%gtid]
        ld.global.u32   %y, input[%gtid]
        ld.shared.u32   %z, s[%laneid]
        exit
.case test
    input = i + 1
    out = 0
)",
                                          4);
  const Trace window = window_of(trace, {.from = 5});
  const Dataflow flow(window);
  const auto kind = [&](const std::string& op, int n, unsigned lane) {
    const std::size_t event = nth(window, op, n);
    const std::vector<FlowSource> sources = flow.sources({event, lane, window.events[event].writes.at(0).reg, 0});
    EXPECT_EQ(sources.size(), 1U) << op << n;
    return sources.empty() ? FlowSource::Kind::Value : sources[0].kind;
  };
  EXPECT_EQ(kind("add", 0, 0), FlowSource::Kind::Before);
  EXPECT_EQ(kind("ld.global", 0, 0), FlowSource::Kind::Before);
  EXPECT_EQ(kind("ld.global", 1, 0), FlowSource::Kind::Input);
  EXPECT_EQ(kind("ld.shared", 0, 1), FlowSource::Kind::Before);
  EXPECT_EQ(kind("ld.shared", 0, 2), FlowSource::Kind::Undefined);
}

TEST(Dataflow, MemberMaskChooses) {
  const Trace trace = testing::text_trace(R"(
.kernel t (in input: u32[size], param size: u32 = WARP_SZ)
.reg .mask %members
        ld.global.u32   %v, input[%gtid]
        setp.lt.u32     %low, %laneid, 2
        vote.ballot.mask %members, %low
        @!%low not.mask %members, %members
        setp.gt.u32     %p, %v, 2
        vote.any.pred   %any, %p, %members
        exit
.case test
    input = i + 1
)",
                                          4);
  const Dataflow flow(trace);
  const std::size_t vote = nth(trace, "vote.any", 0);
  EXPECT_EQ(heard(trace, flow, vote, 0), "0..1");
  EXPECT_EQ(heard(trace, flow, vote, 3), "2..3");
}

TEST(Dataflow, BarrierReductionTakesTheWholeBlock) {
  const Trace trace = testing::text_trace(R"(
.kernel t (in input: u32[size], param size: u32 = 2 * WARP_SZ)
        ld.global.u32   %v, input[%gtid]
        setp.gt.u32     %p, %v, 2
        bar.red.popc.u32 %n, 0, %p
        bar.red.popc.u32 %m, 0, %p
        exit
.case test
    block = 2 * WARP_SZ
    input = i + 1
)",
                                          4);
  const Dataflow flow(trace);
  for (int n = 0; n < 4; ++n) EXPECT_EQ(heard(trace, flow, nth(trace, "bar.red.popc", n), 1), "0..7");
}

TEST(Dataflow, VectorsGoElementByElement) {
  const Trace trace = testing::text_trace(R"(
.kernel t (in input: u32[size], out out: u32[size], param size: u32 = 2 * WARP_SZ)
        mul.lo.u32      %i, %laneid, 2
        ld.global.v2.u32 {%a, %b}, input[%i]
        st.global.v2.u32 out[%i], {%b, %a}
        ld.global.v2.u32 {%c, %d}, out[%i]
        mov.b64         %both, {%c, %d}
        mov.b64         {%low, %high}, %both
        exit
.case test
    input = i + 1
)",
                                          4);
  const Dataflow flow(trace);
  const auto at = [&](int event, const char* reg) {
    return element_ranges(trace.head,
                          flow.contributions({static_cast<std::size_t>(event), 1, find_register(trace.head, reg), 0}));
  };
  EXPECT_EQ(at(1, "%a"), "2");
  EXPECT_EQ(at(1, "%b"), "3");
  EXPECT_EQ(at(3, "%c"), "3");
  EXPECT_EQ(at(3, "%d"), "2");
  EXPECT_EQ(at(4, "%both"), "2..3");
  EXPECT_EQ(at(5, "%low"), "2..3");  // registers are followed whole, not bit by bit
}

TEST(Dataflow, FlowOfAnInstruction) {
  const Trace trace = program_trace("shuffle/member_masks", "test", 8);
  const auto flow = [&](const std::string& op, int n) {
    return flow_of(trace.head, trace.events[nth(trace, op, n)].pc);
  };
  const InsnFlow shuffle = flow("shfl.bfly", 0);
  EXPECT_EQ(shuffle.exchanged, std::vector<std::string>{"%value"});
  EXPECT_EQ(shuffle.address, (std::vector<std::string>{"%last", "%members"}));
  EXPECT_EQ(shuffle.writes, std::vector<std::string>{"%other"});
  EXPECT_TRUE(shuffle.value.empty());
  const InsnFlow branch = flow("bra", 0);
  EXPECT_EQ(branch.guard, "%member");
  EXPECT_TRUE(branch.negated);
  EXPECT_EQ(flow("vote.ballot", 0).exchanged, std::vector<std::string>{"%member"});
}

// ---- all programs

// An instruction reads or writes every register in its text, and events write what it says.
TEST(DataflowPrograms, EveryOperandHasItsPlace) {
  for (const std::string& name : testing::all_program_names()) {
    const Assembled assembled = testing::assemble_program(name);
    const Trace trace = program_trace(name, assembled.program->cases.at(0).name,
                                      lane_counts(*assembled.program, assembled.program->cases.at(0)).back());
    for (const TraceInsn& insn : trace.head.code) {
      SCOPED_TRACE(name + ": " + insn.text);
      const InsnFlow flow = flow_of(trace.head, insn.pc);
      std::set<std::string> said;
      for (const auto* list : {&flow.value, &flow.exchanged, &flow.address, &flow.writes})
        said.insert(list->begin(), list->end());
      if (!flow.guard.empty()) said.insert(flow.guard);
      said.erase("%cc.cf");
      std::set<std::string> in_text;
      for (const std::int32_t reg : registers_in(trace.head, insn.text))
        in_text.insert(trace.head.registers[static_cast<std::size_t>(reg)].name);
      EXPECT_EQ(said, in_text);
    }
    for (const TraceEvent& event : trace.events) {
      const InsnFlow flow = flow_of(trace.head, event.pc);
      for (const TraceWrite& write : event.writes) {
        const std::string& reg = trace.head.registers[static_cast<std::size_t>(write.reg)].name;
        EXPECT_NE(std::find(flow.writes.begin(), flow.writes.end(), reg), flow.writes.end()) << name << reg;
      }
    }
  }
}

std::uint64_t changed_value(Type type, std::uint64_t bits) {
  if (type == Type::F32)
    return std::bit_cast<std::uint32_t>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)) + 1);
  if (type == Type::F64) return std::bit_cast<std::uint64_t>(std::bit_cast<double>(bits) + 1);
  const std::uint64_t mask =
      warpsim::bits(type) >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << warpsim::bits(type)) - 1;
  return (bits + 1) & mask;
}

// The run of a case with one element of its inputs changed.
Trace changed_run(const Program& program, const Case& one, unsigned lanes, const InputElement* element) {
  CaseOverrides overrides;
  overrides.lanes = lanes;
  overrides.max_cycles = 5000;  // some inputs make a program walk in circles
  std::variant<PreparedCase, LaunchError> prepared = prepare_case(program, one, overrides);
  PreparedCase& ready = std::get<PreparedCase>(prepared);
  if (element != nullptr) {
    Array& array = ready.arguments.buffers.at(program.params[static_cast<std::size_t>(element->param)].name);
    std::uint64_t& bits = array.bits.at(static_cast<std::size_t>(element->index));
    bits = changed_value(array.type, bits);
  }
  std::variant<Machine, LaunchError> made = Machine::create(program, ready.config, ready.arguments);
  Recorder recorder;
  std::vector<EventSink*> sinks = {&recorder};
  std::get<Machine>(made).run(sinks);
  return recorder.take();
}

// Whether the same lanes did the same instructions, took values from the same lanes and went to the same places.
bool same_paths(const Trace& a, const Trace& b) {
  return std::equal(
      a.events.begin(), a.events.end(), b.events.begin(), b.events.end(), [](const TraceEvent& x, const TraceEvent& y) {
        if (x.pc != y.pc || x.block != y.block || x.warp != y.warp || x.active != y.active) return false;
        if (x.exchange && (x.exchange->from != y.exchange->from || x.exchange->in_range != y.exchange->in_range))
          return false;
        return !x.memory || x.memory->address == y.memory->address;
      });
}

// Calls f(value, bits) for all that a trace's events left, in registers and in memory.
template <class F>
void for_each_value(const Trace& trace, F f) {
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const TraceEvent& event = trace.events[n];
    for (const TraceWrite& write : event.writes) {
      std::size_t k = 0;
      for_each_lane(write.lanes, [&](unsigned lane) { f(FlowValue{n, lane, write.reg, 0}, write.bits[k++]); });
    }
    if (!event.memory || !event.memory->writes()) continue;
    std::size_t k = 0;
    for_each_lane(event.memory->lanes, [&](unsigned lane) {
      for (unsigned e = 0; e < event.memory->elements; ++e) f(FlowValue{n, lane, -1, e}, event.memory->left(k++));
    });
  }
}

std::vector<InputElement> input_elements(const Program& program, const Trace& trace, std::int64_t most) {
  std::vector<InputElement> list;
  for (std::size_t k = 0; k < program.params.size(); ++k) {
    const Param::Kind kind = program.params[k].kind;
    if (kind != Param::Kind::In && kind != Param::Kind::InOut) continue;
    const std::int64_t length = std::min(most, static_cast<std::int64_t>(trace.head.params[k].length));
    for (std::int64_t n = 0; n < length; ++n) list.push_back({static_cast<std::int32_t>(k), n});
  }
  return list;
}

// Changing an element changes no value that it is not said to contribute to, as long as the lanes take the same paths.
TEST(DataflowPrograms, WhatChangesWasSaidToContribute) {
  int elements = 0, changed_values = 0, programs = 0;
  for (const std::string& name : testing::all_program_names()) {
    const Assembled assembled = testing::assemble_program(name);
    const Case& one = assembled.program->cases.at(0);
    const unsigned lanes = testing::about_8_lanes(*assembled.program, one);
    const Trace trace = changed_run(*assembled.program, one, lanes, nullptr);
    const Dataflow flow(trace);
    int here = 0;
    std::map<FlowValue, std::vector<InputElement>> contributions;
    for (const InputElement& element : input_elements(*assembled.program, trace, 8)) {
      const Trace changed = changed_run(*assembled.program, one, lanes, &element);
      if (!same_paths(trace, changed)) continue;
      ++elements;
      std::vector<std::uint64_t> bits;
      for_each_value(changed, [&](const FlowValue&, std::uint64_t b) { bits.push_back(b); });
      std::size_t k = 0;
      for_each_value(trace, [&](const FlowValue& value, std::uint64_t b) {
        // Slices of long runs are long: of those only what reaches memory.
        if (b == bits.at(k++) || (value.reg >= 0 && trace.events.size() > 120)) return;
        ++here;
        if (contributions.find(value) == contributions.end()) contributions[value] = flow.contributions(value);
        const std::vector<InputElement>& said = contributions[value];
        EXPECT_TRUE(std::binary_search(said.begin(), said.end(), element))
            << name << " event " << value.event << " lane " << value.lane << " reg " << value.reg << ": element "
            << element.index << " is not among " << element_ranges(trace.head, said);
      });
    }
    changed_values += here;
    programs += here > 0 ? 1 : 0;
  }
  EXPECT_GE(programs, 80);
  EXPECT_GE(elements, 500);
  EXPECT_GE(changed_values, 5000);
}

// Where nothing but sums, exclusive ors and moves happens, every element that is said to contribute does change it.
TEST(DataflowPrograms, WhatContributesChanges) {
  for (const char* name :
       {"reduce/sum_bfly", "reduce/xor_bfly", "reduce/sum_down", "scan/hillis_steele_inclusive",
        "p26/butterfly_pair_swap", "p26/warp_inclusive_prefix_sum", "permute/reverse", "permute/rotate",
        "twin/reduction_shared", "twin/prefix_sum_simple", "p25/basic_broadcast"}) {
    const Assembled assembled = testing::assemble_program(name);
    const Case& one = assembled.program->cases.at(0);
    const Trace trace = changed_run(*assembled.program, one, 8, nullptr);
    const Dataflow flow(trace);
    std::map<FlowValue, std::set<InputElement>> observed;
    for (const InputElement& element : input_elements(*assembled.program, trace, 64)) {
      const Trace changed = changed_run(*assembled.program, one, 8, &element);
      std::vector<std::uint64_t> bits;
      for_each_value(changed, [&](const FlowValue&, std::uint64_t b) { bits.push_back(b); });
      std::size_t k = 0;
      for_each_value(trace, [&](const FlowValue& value, std::uint64_t b) {
        if (b != bits.at(k++)) observed[value].insert(element);
      });
    }
    int stores = 0;
    for_each_value(trace, [&](const FlowValue& value, std::uint64_t) {
      if (value.reg >= 0 || trace.events[value.event].memory->is_shared()) return;
      ++stores;
      const std::vector<InputElement> said = flow.contributions(value);
      EXPECT_EQ(std::set<InputElement>(said.begin(), said.end()), observed[value])
          << name << " event " << value.event << " lane " << value.lane;
    });
    EXPECT_GE(stores, 1) << name;
  }
}

}  // namespace
}  // namespace warpsim
