// A trace of machine code: what it says against what the program says and what the launch leaves.
#include "traces/record/code_recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "isa/assembly/assembler.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "isa/sass/kin.h"
#include "isa/text/lines.h"
#include "programs/embedded.h"
#include "sim/memory/memory.h"
#include "tests/support/every_program.h"
#include "tools/sass/code_capture.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"
#include "traces/profile/builtin_profiles.h"
#include "traces/record/code_head.h"
#include "traces/record/recorder.h"
#include "traces/replay/dataflow.h"
#include "traces/replay/state.h"
#include "traces/replay/trace_statistics.h"

namespace warpsim {
namespace {

// A program of the catalogue whose code was captured, at 32 lanes.
struct RecordedCode {
  Trace trace;
  std::map<std::string, Array> left;  // in its buffers
};
RecordedCode record_code(const std::string& group, const std::string& name) {
  RecordedCode made;
  for (const EmbeddedProgram& embedded : embedded_programs()) {
    if (embedded.group != group || embedded.name != name) continue;
    const Assembled assembled = assemble(embedded.text, name + ".warp", group);
    const Lesson& program = *assembled.lesson();
    CaseOverrides overrides;
    overrides.lanes = kPtxLanes;
    PreparedCase prepared = std::get<PreparedCase>(prepare_case(program, program.cases.front(), overrides));
    LaunchConfig& config = prepared.config;
    if (config.block.x == 0) config.block.x = kPtxLanes;
    config.timing = std::make_shared<const TimingProfile>(builtin_profile("h200")->bounds.front());
    PtxOptions options;
    options.block = config.block;
    const PtxKernel kernel = std::get<PtxKernel>(write_ptx(program, options));
    const std::string text = ptx_module({&kernel, 1});
    const tools::CapturedCode* const captured = tools::captured_code_of(text);
    if (captured == nullptr) break;
    DeviceMemory memory;
    const Binding binding = std::get<Binding>(bind(program, prepared.arguments, memory));
    const sass::Cubin cubin = tools::cubin_of(*captured, text);
    std::vector<std::uint32_t> lines(kPtxHeadLines, 0);
    lines.insert(lines.end(), kernel.lines.begin(), kernel.lines.end());
    const TraceHead head =
        code_head(make_head(program, nullptr, config, prepared.arguments,
                            [&](std::int32_t param) { return binding.params[static_cast<std::size_t>(param)]; }),
                  {&cubin, &captured->section, lines});
    TraceConsumer consumer;
    consumer.head = [&](const TraceHead& one) { made.trace.head = one; };
    consumer.event = [&](const TraceEvent& event) { made.trace.events.push_back(event); };
    CodeRecorder recorder(head, program, memory, *config.timing, consumer);
    sass::CodeSink* const sinks[] = {&recorder};
    const sass::CodeRun run =
        sass::run_code(cubin, captured->section,
                       {config.grid, config.block, kernel.shared_bytes, bytes_passed(program, binding), &memory},
                       *config.timing, sinks);
    EXPECT_FALSE(run.refusal);
    recorder.finish();
    made.trace.outcome.cycles = run.cycles;
    made.trace.outcome.instructions = run.instructions;
    const GlobalMemory global(memory, program, binding);
    for (const Param& param : program.params)
      if (param.kind == Param::Kind::Out) made.left[param.name] = global.contents(program.find_param(param.name));
    return made;
  }
  ADD_FAILURE() << "no such program, or its code was not captured";
  return made;
}

std::string first_case(const std::string& name) { return testing::assemble_program(name).lesson()->cases.front().name; }

std::string written_code(const Trace& trace) {
  std::string text;
  TraceWriter writer(TraceShape::Document, [&text](std::string_view piece) { text += piece; });
  writer.head(trace.head);
  for (const TraceEvent& event : trace.events) writer.event(event);
  writer.outcome(trace.outcome);
  return text;
}

// The reader refuses events out of order and stalls that do not fill the time.
TEST(CodeRecorder, ATraceOfMachineCodeIsReadBack) {
  for (const char* const name : {"butterfly_parallel_max", "warp_inclusive_prefix_sum"}) {
    const RecordedCode made = record_code("p26", name);
    const auto read = read_trace(written_code(made.trace));
    ASSERT_TRUE(std::holds_alternative<Trace>(read)) << std::get<JsonError>(read).message;
    const Trace& back = std::get<Trace>(read);
    EXPECT_EQ(back.head.version, "1.8");
    EXPECT_TRUE(back.head.is_machine_code);
    EXPECT_EQ(written_code(back), written_code(made.trace));
  }
}

TEST(CodeRecorder, WhatItsStoresHoldIsWhatTheLaunchLeaves) {
  for (const auto& [group, name] : {std::pair("p26", "butterfly_parallel_max"), std::pair("block", "sum")}) {
    const RecordedCode made = record_code(group, name);
    for (const auto& [output, array] : made.left) {
      Array held = array;
      std::fill(held.bits.begin(), held.bits.end(), 0);
      for (const TraceEvent& event : made.trace.events) {
        if (!event.memory || !event.memory->writes() || event.memory->is_shared()) continue;
        const TraceMemory& memory = *event.memory;
        for (std::size_t k = 0; k < memory.object.size(); ++k) {
          ASSERT_GE(memory.object[k], 0);
          if (made.trace.head.params[static_cast<std::size_t>(memory.object[k])].name == output)
            held.bits[static_cast<std::size_t>(memory.index[k])] = memory.left(k);
        }
      }
      EXPECT_EQ(held, array) << name;
    }
  }
}

// What a store takes is what the registers hold that the writes before it have left.
TEST(CodeRecorder, AStoreTakesWhatTheWritesHaveLeft) {
  const RecordedCode made = record_code("p26", "butterfly_parallel_max");
  TraceState state(made.trace.head);
  std::size_t stores = 0;
  for (const TraceEvent& event : made.trace.events) {
    state.apply(event);
    const TraceInsn& insn = made.trace.head.code[static_cast<std::size_t>(event.pc)];
    if (insn.op != "STG.E") continue;
    std::int32_t data = -1;
    for (std::size_t reg = 0; reg < made.trace.head.registers.size(); ++reg)
      if (made.trace.head.registers[reg].name == "%" + insn.operands.back()) data = static_cast<std::int32_t>(reg);
    ASSERT_GE(data, 0) << insn.text;
    std::size_t k = 0;
    for_each_lane(event.memory->lanes, [&](unsigned lane) {
      EXPECT_EQ(state.bits(event.block, event.warp, data, lane), event.memory->bits[k++]) << lane;
    });
    ++stores;
  }
  EXPECT_EQ(stores, 1U);
}

TEST(CodeRecorder, AnInstructionHasTheLineOfTheProgramThatItCameFrom) {
  const RecordedCode made = record_code("p26", "butterfly_parallel_max");
  const TraceHead& head = made.trace.head;
  std::size_t found = 0;
  for (const TraceInsn& insn : head.code) {
    const std::string_view mnemonic = insn.op == "SHFL.BFLY"       ? "shfl.bfly"
                                      : insn.op.starts_with("STG") ? "st.global"
                                      : insn.op.starts_with("LDG") ? "ld.global"
                                      : insn.op.starts_with("POP") ? "popc"
                                                                   : "";
    if (mnemonic.empty()) continue;
    ASSERT_GE(insn.place, 0) << insn.text;
    const TraceSourcePlace& place = head.places[static_cast<std::size_t>(insn.place)];
    EXPECT_NE(line_in(head.sources[place.source].text, place.line).find(mnemonic), std::string_view::npos) << insn.text;
    ++found;
  }
  EXPECT_EQ(found, 4U);
}

TEST(CodeRecorder, ItsStatisticsCountByUnit) {
  const RecordedCode made = record_code("p26", "butterfly_parallel_max");
  TraceStatistics counted;
  counted.head(made.trace.head);
  std::uint64_t shuffles = 0, waited = 0;
  for (const TraceEvent& event : made.trace.events) {
    counted.event(event);
    waited += event.waited();
    shuffles += made.trace.head.code[static_cast<std::size_t>(event.pc)].op.starts_with("SHFL") ? 1 : 0;
  }
  counted.outcome(made.trace.outcome);
  const Statistics& statistics = counted.statistics();
  EXPECT_EQ(shuffles, 5U) << "a butterfly of 32 lanes";
  EXPECT_EQ(statistics.counts.by_unit[static_cast<std::size_t>(Unit::Shfl)], shuffles);
  EXPECT_EQ(statistics.counts.instructions, made.trace.events.size());
  EXPECT_EQ(statistics.issue_cycles + waited, made.trace.outcome.cycles) << "of the only warp";
}

// ---- where values came from

// By warp, the lanes that each shuffle reads.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::vector<std::uint8_t>>> exchanges(
    const Trace& trace) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::vector<std::uint8_t>>> all;
  for (const TraceEvent& event : trace.events)
    if (event.exchange) all[{event.block, event.warp}].push_back(event.exchange->from);
  return all;
}

// The program's shuffles, whose lanes the rules of PTX say, are the machine code's.
TEST(CodeRecorder, ShufflesReadTheLanesThatTheProgramsRead) {
  for (const char* const name : {"p26/butterfly_parallel_max", "p26/butterfly_pair_swap", "reduce/sum_down",
                                 "shuffle/up", "shuffle/down", "shuffle/idx_gather", "shuffle/out_of_range"}) {
    const std::string group = std::string(name).substr(0, std::string(name).find('/'));
    const RecordedCode made = record_code(group, std::string(name).substr(group.size() + 1));
    const Trace own = testing::program_trace(name, first_case(name), kPtxLanes);
    EXPECT_EQ(exchanges(made.trace), exchanges(own)) << name;
    EXPECT_FALSE(exchanges(own).empty()) << name;
  }
}

// By buffer and element, what the last store there was computed from.
using Origins = std::map<std::pair<std::int32_t, std::int64_t>, std::vector<InputElement>>;
Origins origins(const Trace& trace) {
  const Dataflow flow(trace);
  Origins all;
  for (std::size_t k = 0; k < trace.events.size(); ++k) {
    const TraceEvent& event = trace.events[k];
    if (!event.memory || !event.memory->writes() || event.memory->space != AddressSpace::Global) continue;
    const TraceMemory& memory = *event.memory;
    std::size_t place = 0;
    for_each_lane(memory.lanes, [&](unsigned lane) {
      for (unsigned e = 0; e < memory.elements; ++e)
        all[{memory.object[place], memory.index[place] + e}] = flow.contributions({k, lane, -1, e});
      ++place;
    });
  }
  return all;
}

// Of all programs. Where ptxas makes a choice of two values out of a guard or a branch, either counts, as of `selp`.
TEST(CodeRecorder, ValuesComeFromTheElementsThatTheProgramTakes) {
  const std::set<std::string> chooses = {
      "coord/adaptive_filter", "coord/frontier_expansion",     "coord/leader_election", "coord/load_balance",
      "coord/quality_control", "permute/backward_difference",  "permute/transpose",     "reduce/argmax",
      "scan/blelloch",         "scan/hillis_steele_exclusive", "scan/work_offsets"};
  std::size_t elements = 0;
  for (const std::string& name : testing::all_program_names()) {
    const std::string group = name.substr(0, name.find('/'));
    const Origins code = origins(record_code(group, name.substr(group.size() + 1)).trace);
    const Origins own = origins(testing::program_trace(name, first_case(name), kPtxLanes));
    if (chooses.count(name) == 0) {
      EXPECT_EQ(code, own) << name;
    }
    for (const auto& [place, from] : own) {
      const auto found = code.find(place);
      ASSERT_NE(found, code.end()) << name;
      EXPECT_TRUE(std::includes(found->second.begin(), found->second.end(), from.begin(), from.end())) << name;
      ++elements;
    }
  }
  EXPECT_GT(elements, 3000U);
}

TEST(MachineCodeKin, UnitsAreThoseOfTheOpcode) {
  const std::pair<std::string_view, Unit> all[] = {
      {"SHFL.BFLY", Unit::Shfl},   {"LDS.64", Unit::Shared},      {"ATOMS.ADD", Unit::Shared}, {"LDG.E", Unit::Mem},
      {"MUFU.RCP", Unit::Sfu},     {"IMAD.MOV.U32", Unit::Fma},   {"FFMA", Unit::Fma},         {"DFMA", Unit::Fp64},
      {"BRA", Unit::Branch},       {"EXIT", Unit::Branch},        {"BSSY", Unit::Branch},      {"VOTE.ANY", Unit::Vote},
      {"BAR.SYNC", Unit::Barrier}, {"F2I.TRUNC.NTZ", Unit::Conv}, {"S2R", Unit::Special},      {"LOP3.LUT", Unit::Alu}};
  for (const auto& [opcode, unit] : all) {
    const sass::Kin kin = sass::kin_of(opcode);
    EXPECT_EQ(unit_of(info(kin.op), kin.type), unit) << opcode;
  }
}

TEST(MachineCodeKin, ResultsOf64BitsAreTwoRegisters) {
  for (const char* const wide : {"IMAD.WIDE.U32", "LDG.E.64", "DADD", "CS2R", "F2F.F64.F32", "F2I.S64.F64.TRUNC"})
    EXPECT_EQ(sass::registers_written(wide), 2U) << wide;
  for (const char* const narrow : {"IMAD", "I2F.S64", "CS2R.32", "F2F.F32.F64", "SHF.R.U64", "MATCH.ANY.U64"})
    EXPECT_EQ(sass::registers_written(narrow), 1U) << narrow;
  EXPECT_EQ(sass::registers_written("LDG.E.128"), 4U);
}

TEST(MachineCodeKin, SourcesOf64BitsAreTwoRegisters) {
  const std::tuple<const char*, std::vector<std::string>, std::vector<unsigned>> all[] = {
      {"IMAD", {"WIDE"}, {1, 1, 1, 2}}, {"DFMA", {}, {2, 2, 2, 2}},      {"STG", {"E", "128"}, {4}},
      {"F2F", {"F32", "F64"}, {1, 2}},  {"F2F", {"F64", "F32"}, {1, 1}}, {"F2I", {"S64", "F64", "TRUNC"}, {1, 2}},
      {"I2F", {"S64"}, {1, 2}},         {"IMAD", {}, {1, 1, 1, 1}}};
  for (const auto& [name, modifiers, counts] : all) {
    sass::Instruction insn;
    insn.name = name;
    insn.modifiers = modifiers;
    insn.operands.resize(counts.size());
    for (sass::Operand& one : insn.operands) one.kind = sass::OperandKind::Register;
    insn.operands[0].is_destination = counts.size() > 1;
    for (std::size_t k = counts.size() > 1 ? 1 : 0; k < counts.size(); ++k)
      EXPECT_EQ(sass::registers_read(insn, k), counts[k]) << name << " " << k;
  }
}

}  // namespace
}  // namespace warpsim
