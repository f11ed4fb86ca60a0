// See code_trace.h.
#include "tools/sass/code_trace.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "isa/ptx/ptx_summary.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "isa/text/number_text.h"
#include "sim/memory/memory.h"
#include "sim/sass/code_run.h"
#include "tools/sass/code_capture.h"
#include "tools/sass/code_source.h"
#include "tools/session/loading.h"
#include "traces/io/reader.h"
#include "traces/record/code_head.h"
#include "traces/record/code_recorder.h"

namespace warpsim::tools {
namespace {

struct Code {
  sass::Cubin cubin;
  const sass::CodeSection* section = nullptr;  // of it
  std::vector<std::uint32_t> program_lines;    // by line of PTX; empty of a program from PTX
  std::uint32_t shared_bytes = 0;              // that the launch must ask for
};

void refuse(Session& session, const std::string& message, const std::string& hint = "") {
  session.reply.fail(ExitCode::Unsupported, "unsupported", message, hint);
}

// The PTX that was read, as it is; or what is written of a program.
std::optional<sass::Cubin> cubin_of_program(Session& session, const Lesson& program, const LaunchConfig& config,
                                            Code& code, std::string& entry) {
  if (program.is_from_ptx) {
    if (program.module && program.module->texts > 1) {
      refuse(session, "--timing machine-code has no use for --link: ptxas makes code of one text",
             "`nvcc -arch=sm_90 -rdc=true` links the files; or leave out --timing");
      return std::nullopt;
    }
    return assembled_ptx(session, program.source().name, program.source().text);
  }
  PtxOptions options;
  options.block = config.block;
  const auto written = write_ptx(program, options);
  if (const auto* const unsupported = std::get_if<PtxUnsupported>(&written)) {
    refuse(session, unsupported->message, unsupported->hint);
    return std::nullopt;
  }
  const PtxKernel& kernel = std::get<PtxKernel>(written);
  entry = kernel.entry;
  code.shared_bytes = kernel.shared_bytes;
  code.program_lines.assign(kPtxHeadLines, 0);
  code.program_lines.insert(code.program_lines.end(), kernel.lines.begin(), kernel.lines.end());
  const std::string text = ptx_module({&kernel, 1});
  if (const CapturedCode* const captured = captured_code_of(text)) return tools::cubin_of(*captured, text);
  return assembled_ptx(session, program.full_name(), text);
}

// Into `code`, whose section is a part of its cubin.
bool find_code(Session& session, const Lesson& program, const LaunchConfig& config, Code& code) {
  std::string entry;
  std::optional<sass::Cubin> cubin = cubin_of_program(session, program, config, code, entry);
  if (!cubin) return false;
  code.cubin = std::move(*cubin);
  for (const sass::CodeSection& section : code.cubin.sections) {
    const bool is_it = entry.empty() ? section.name == program.name || ptx::short_name(section.name) == program.name
                                     : section.name == entry;
    if (section.is_entry && is_it && code.section == nullptr) code.section = &section;
  }
  if (code.section != nullptr) {  // what the code does not declare the launch asks for
    code.shared_bytes -= std::min(code.shared_bytes, code.section->shared_bytes);
    return true;
  }
  refuse(session, "the machine code of " + program.full_name() + " has no kernel of this name");
  return false;
}

// A launch on memory of its own, as it is at the start of the run.
struct Launch {
  DeviceMemory memory;
  Binding binding;
  sass::CodeLaunch launch;
};
std::unique_ptr<Launch> launch_of(Session& session, const Lesson& program, const PreparedCase& prepared,
                                  const LaunchConfig& config, const Code& code) {
  auto made = std::make_unique<Launch>();
  auto bound = bind(program, prepared.arguments, made->memory);
  if (const auto* const error = std::get_if<LaunchError>(&bound)) {
    session.reply.fail(ExitCode::Usage, error->code, error->message, error->hint);
    return nullptr;
  }
  made->binding = std::get<Binding>(std::move(bound));
  made->launch = {config.grid, config.block, code.shared_bytes + config.dynamic_shared_bytes,
                  bytes_passed(program, made->binding), &made->memory};
  return made;
}

void report(Session& session, const Code& code, const sass::CodeRefusal& why) {
  std::string where;
  if (const auto insn = sass::instruction_of(*code.section, why))
    where = ", at " + hex_digits(insn->address, 4) + ": " + text_of(*insn);
  if (why.is_fault)
    return session.reply.fail(ExitCode::Trap, "fault", "the machine code stops: " + why.message + where);
  refuse(session, "this machine code cannot be timed: " + why.message + where, "--timing program times the program");
}

bool is_in_any_order(const Program& program, const std::string& output) {
  return std::any_of(program.unordered.begin(), program.unordered.end(),
                     [&](const Unordered& one) { return one.output == output; });
}

// The first output that is another one; "": none is.
std::string first_difference(const Program& program, const Launch& launch, const TraceOutcome& wanted) {
  const GlobalMemory memory(launch.memory, program, launch.binding);
  for (const auto& [name, array] : wanted.outputs) {
    Array found = memory.contents(program.find_param(name)), expected = array;
    if (is_in_any_order(program, name)) {
      std::sort(found.bits.begin(), found.bits.end());
      std::sort(expected.bits.begin(), expected.bits.end());
    }
    if (found != expected) return name;
  }
  return "";
}

// The program's own run, by which the machine code's is judged. Nothing after it has said why there is none.
std::optional<TraceOutcome> own_outcome(Session& session, const Lesson& program, const PreparedCase& prepared) {
  Options options = session.options;
  options.timing = options.profile = options.scheduler = options.sms = "";
  options.check = "off";
  Session again{options, session.catalogue, session.command_line, session.reply, session.takes};
  again.stop = session.stop;
  PreparedCase own = prepared;
  own.config.timing = nullptr;
  const std::optional<Trace> trace = execute(again, program, own, no_events());
  if (!trace) return std::nullopt;
  if (!trace->outcome.trap) return trace->outcome;
  report_outcome(again, program, *trace);
  return std::nullopt;
}

// Where it is not as fast as others, else 0. A launch brings its first lines with it.
std::uint64_t first_launch_cycles(Session& session, const Lesson& program, const PreparedCase& prepared,
                                  const LaunchConfig& config, const Code& code, std::uint64_t others) {
  const CodeFetchTiming& fetch = config.timing->machine_code->fetch;
  if (code.section->words.size() * sass::kWordBytes <= std::size_t{fetch.ahead} * fetch.line) return 0;
  std::unique_ptr<Launch> launch = launch_of(session, program, prepared, config, code);
  if (!launch) return 0;
  launch->launch.is_first = true;
  const sass::CodeRun run = sass::run_code(code.cubin, *code.section, launch->launch, *config.timing);
  return run.refusal || run.cycles == others ? 0 : run.cycles;
}

bool fits(Session& session, const Lesson& program, const LaunchConfig& config) {
  if (config.lanes == kPtxLanes) return true;
  refuse(session,
         "machine code has warps of " + std::to_string(kPtxLanes) + " lanes, and " + program.full_name() + " runs at " +
             std::to_string(config.lanes),
         "another --case, or --timing program");
  return false;
}

}  // namespace

std::optional<Trace> execute_code(Session& session, const Lesson& program, const PreparedCase& prepared,
                                  std::optional<TraceConsumer> consumer) {
  LaunchConfig config = prepared.config;
  if (config.block.x == 0) config.block.x = config.lanes;
  Code code;
  if (!fits(session, program, config) || !find_code(session, program, config, code)) return std::nullopt;
  std::optional<TraceOutcome> outcome = own_outcome(session, program, prepared);
  if (!outcome) return std::nullopt;
  std::unique_ptr<Launch> launch = launch_of(session, program, prepared, config, code);
  if (!launch) return std::nullopt;
  const sass::CodeRun run = sass::run_code(code.cubin, *code.section, launch->launch, *config.timing, {},
                                           std::min(config.max_cycles, sass::kMostCodeCycles));
  if (run.refusal) return report(session, code, *run.refusal), std::nullopt;
  if (const std::string name = first_difference(program, *launch, *outcome); !name.empty()) {
    refuse(session, "the machine code leaves other values in " + name + " than the program does: it is not timed",
           "what depends on the order of warps, or on a clock, cannot be compared; --timing program times it");
    return std::nullopt;
  }
  outcome->cycles = run.cycles;
  if (session.options.verb == "stats")  // which alone says it
    outcome->first_launch = first_launch_cycles(session, program, prepared, config, code, run.cycles);
  outcome->instructions = run.instructions;
  Trace trace;
  const auto address_of = [&](std::int32_t param) { return launch->binding.params[static_cast<std::size_t>(param)]; };
  trace.head = code_head(make_head(program, &program, config, prepared.arguments, address_of),
                         {&code.cubin, code.section, code.program_lines});
  trace.head.case_name = prepared.name;
  trace.outcome = std::move(*outcome);
  if (consumer && !consumer->event) {
    if (consumer->head) consumer->head(trace.head);
  } else {
    // The same again, for it is known now that it is the program's.
    std::unique_ptr<Launch> second = launch_of(session, program, prepared, config, code);
    if (!second) return std::nullopt;
    const TraceConsumer keeps{[](const TraceHead&) {},
                              [&trace](const TraceEvent& event) { trace.events.push_back(event); }, nullptr};
    CodeRecorder recorder(trace.head, program, second->memory, *config.timing, consumer ? *consumer : keeps);
    sass::CodeSink* const sinks[] = {&recorder};
    sass::run_code(code.cubin, *code.section, second->launch, *config.timing, sinks);
    recorder.finish();
  }
  if (consumer && consumer->outcome) consumer->outcome(trace.outcome);
  return trace;
}

}  // namespace warpsim::tools
