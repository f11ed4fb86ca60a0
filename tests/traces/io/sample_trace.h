// A trace made by hand that has one of everything: each type, each kind of event, a trap, findings, undefined lanes.
#pragma once

#include <bit>
#include <cstdint>

#include "traces/model/instruction_texts.h"
#include "traces/model/trace.h"

namespace warpsim::testing {

inline std::uint64_t f32(float value) { return std::bit_cast<std::uint32_t>(value); }
inline std::uint64_t f64(double value) { return std::bit_cast<std::uint64_t>(value); }

inline TraceHead sample_head(unsigned lanes) {
  TraceHead head;
  head.lanes = lanes;
  head.grid = {2, 1, 1};
  head.block = {lanes + 1, 1, 1};
  head.case_name = "worked";
  head.program = "p99/sample";
  head.title = "Everything \"at once\" – ↔";
  head.document = "000:1-2";
  head.file = "sample.warp";
  head.text = "// sample\n\tmov.u32 %a, 1\nexit\n";
  head.params = {{"input", TraceParam::Kind::In, Type::F32, 3, 0, 0x100000000},
                 {"output", TraceParam::Kind::Out, Type::U64, 2, 0, 0x200000100},
                 {"size", TraceParam::Kind::Scalar, Type::U32, 0, 8, 0},
                 {"factor", TraceParam::Kind::Scalar, Type::F64, 0, f64(0.1), 0}};
  head.shared = {{"tile", Type::F32, 16}};
  head.registers = {{"%pred", Type::Pred},  {"%f32", Type::F32},      {"%f64", Type::F64}, {"%f16", Type::F16},
                    {"%u32", Type::U32},    {"%s32", Type::S32},      {"%u64", Type::U64}, {"%s64", Type::S64},
                    {"%b16", Type::B16},    {"%mask", Type::Mask},    {"%b64", Type::B64}, {"%bf16", Type::BF16},
                    {"%pair", Type::F16X2}, {"%bf16x2", Type::BF16X2}};
  head.code = {{0,
                2,
                "shfl.down.b32 %f32, %f32, 1",
                "d = a from lane + b",
                "shfl.down",
                Type::B32,
                0,
                {"%f32", "", "%f32", "1", "", ""}},
               {1, 0, "@%pred bra loop", "goes on at the label", "bra", Type::None, -1, {"loop"}},
               {2, 3, "exit", "the lane is done", "exit", Type::None, 0, {}}};
  read_instruction_texts(head);
  head.phases = {{"Step {step}", "id=a", {{"Lane {lane}", "columns=2"}, {"done", ""}}}};
  head.pictures = {{"Overview", "", {}}};
  head.inputs = {{"input", {Type::F32, {f32(1.5F), f32(-0.0F), f32(1e20F)}}}};
  return head;
}

// The same, compiled from two files of which one is at hand: a line, a call that was inlined in it, and a header's
// function in that.
inline TraceHead sourced_head(unsigned lanes) {
  TraceHead head = sample_head(lanes);
  head.version = "1.6";
  head.sources = {{"sum.cu", "first\nsecond\n"}, {"intrinsics.hpp", ""}};
  head.places = {{0, 2, 3, 7, "k", -1}, {0, 1, 1, 5, "twice", 0}, {1, 409, 9, 1, "", 1}};
  head.variables = {{"i", 4, 0, 2}};
  head.code[0].place = 1;
  head.code[0].innermost = 2;
  head.code[1].place = head.code[1].innermost = 0;
  head.code[1].is_address = true;
  return head;
}

inline TraceEvent sample_write(std::uint64_t cycle, std::int32_t reg, std::vector<std::uint64_t> bits,
                               LaneMask undefined = 0) {
  TraceEvent event;
  event.cycle = cycle;
  event.pc = 0;
  event.active = event.group = full_mask(static_cast<unsigned>(bits.size()));
  event.writes = {{reg, event.active, undefined, std::move(bits)}};
  return event;
}

// One register a type, with values that are easily written wrong.
inline std::vector<TraceEvent> sample_writes(unsigned lanes) {
  return {
      sample_write(1, 0, {1, 0, 0, 1}, 0b0100),
      sample_write(2, 1, {f32(0.1F), 0x7fffffff, 0x7fc12345, f32(-0.0F)}),
      sample_write(3, 1, {f32(1e16F), 0x7f800000, 0xff800000, f32(7.038531e-26F)}),
      sample_write(4, 2, {f64(0.1), 0xfff8000000000000, 0x7ff8000000000001, f64(5e-324)}),
      sample_write(5, 3, {0x3c00, 0x7fff, 0xfc00, 0x0001}),
      sample_write(6, 4, {0, 1, 0xffffffff, 7}),
      sample_write(7, 5, {0, 0xffffffff, 0x80000000, 0x7fffffff}),
      sample_write(8, 6, {0, 0xffffffffffffffff, 1ULL << 53, 7}),
      sample_write(9, 7, {0, 0xffffffffffffffff, 0x8000000000000000, 7}),
      sample_write(10, 8, {0, 0xffff, 9, 7}),
      sample_write(11, 9, {0, 0xf, lanes > 32 ? ~0ULL : 0xffffffff, 7}),
      sample_write(12, 10, {0, 1, 2, 3}),
  };
}

inline TraceOutcome sample_outcome() {
  TraceOutcome outcome;
  outcome.ok = false;
  outcome.cycles = 18;
  outcome.instructions = 18;
  outcome.outputs = {{"output", {Type::U64, {~0ULL, 0}}}};
  outcome.undefined = {{"output", {1}}};
  outcome.expected = {{"output", {Type::U64, {~0ULL, 0}}}};
  outcome.passed = false;
  TraceFinding& found = outcome.findings.emplace_back();
  found.kind = "undefined-lane";
  found.message = "lane 2 is undefined";
  found.cycle = 13;
  found.block = found.warp = 1;
  found.pc = 0;
  found.lanes = 0b0100;
  TraceTrap& trap = outcome.trap.emplace();
  trap.kind = "deadlock";
  trap.message = "nothing can run";
  trap.hint = "count the arrivals";
  trap.cycle = 16;
  trap.block = 1;
  trap.lanes = 0b1;
  trap.places = {{1, 0, 0b1, 2, "bar 0"}, {1, 1, 0b1, -1, ""}};
  return outcome;
}

// `lanes` from 4 on.
inline Trace sample_trace(unsigned lanes) {
  Trace trace;
  trace.head = sample_head(lanes);
  trace.events = sample_writes(lanes);
  TraceEvent rich = sample_write(13, 1, {f32(1), f32(2), 0, f32(3)}, 0b0100);
  rich.block = 1;
  rich.warp = 1;
  rich.group = full_mask(lanes);
  rich.phase = TracePhaseStart{0, 4, 2, "Step 2 – \"quoted\"\n"};
  rich.exchange = TraceExchange{0b1111, {1, 2, 3, 3}, 0b0111, 0b0100};
  trace.events.push_back(rich);
  TraceEvent load;
  load.cycle = 14;
  load.active = load.group = 0b1010;
  load.memory = TraceMemory{TraceMemory::Space::Global, TraceMemory::Access::Load, 4,        0b1010,    {0, -1}, {2, 0},
                            {0x100000008, 0x42},        {f32(1e20F), f32(0.5F)},   {0b1000}, Type::F32, 0};
  trace.events.push_back(load);
  TraceEvent store = load;
  store.cycle = 15;
  store.memory = TraceMemory{TraceMemory::Space::Shared,
                             TraceMemory::Access::Store,
                             4,
                             0b1010,
                             {0, 0},
                             {2, 7},
                             {8, 28},
                             {f32(1e20F), f32(0.5F)},
                             {},
                             Type::F32,
                             2};
  trace.events.push_back(store);
  TraceEvent branch;
  branch.pc = 1;
  branch.cycle = 16;
  branch.group = 0b1111;
  branch.masks = {{TraceMask::Kind::Branch, 0b0011, 0b1100, 2, -1},
                  {TraceMask::Kind::Reconverge, 0b1111, 0, 2, -1},
                  {TraceMask::Kind::Exit, 0b0001, 0, -1, -1}};
  trace.events.push_back(branch);
  TraceEvent hardware = branch;
  hardware.cycle.reset();
  trace.events.push_back(hardware);
  TraceEvent atomic = store;
  atomic.cycle = 17;
  atomic.memory->access = TraceMemory::Access::Atomic;
  atomic.memory->stored = {f32(2.0F), f32(-0.0F)};
  atomic.memory->undefined = {0b0010};
  atomic.memory->undefined_stored = 0b1000;
  trace.events.push_back(atomic);
  TraceEvent vector = load;
  vector.cycle = 18;
  vector.memory->elements = 2;
  vector.memory->bits = {f32(1.0F), f32(2.0F), f32(3.0F), f32(4.0F)};
  vector.memory->undefined = {0b0010, 0b1000, 0, 0};
  trace.events.push_back(vector);
  trace.outcome = sample_outcome();
  return trace;
}

}  // namespace warpsim::testing
