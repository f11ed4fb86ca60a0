// crosscheck: every case in the simulator and on the GPU, or against what a GPU did.
#include <algorithm>
#include <filesystem>
#include <map>

#include "isa/program/expand.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "isa/text/number_text.h"
#include "programs/embedded.h"
#include "tools/command/verbs.h"
#include "tools/cuda/recording/capture.h"
#include "tools/cuda/recording/kernels.h"
#include "tools/session/gpu_session.h"
#include "tools/session/named_programs.h"
#include "tools/support/json_object.h"
#include "tools/support/output.h"
#include "tools/support/unordered.h"
#include "tools/support/words.h"
#include "traces/compare/compare.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"

namespace warpsim::tools {
namespace {

constexpr std::uint64_t kSmallThreads = 16;  // a trace that is kept has at most so many

// How one backend's run of a case compares with the simulator.
struct Verdict {
  enum class State { Absent, Equal, Different } state = State::Absent;
  std::string text;  // the difference, or why it is absent
};

struct CrossRun {
  std::string program, case_name;
  unsigned lanes = 32;
  Verdict ptx, steps, kernel;
};

struct Column {
  const char* name;
  Verdict CrossRun::*verdict;
};
constexpr Column kColumns[] = {{"ptx", &CrossRun::ptx}, {"steps", &CrossRun::steps}, {"cuda", &CrossRun::kernel}};

bool is_open(const Lesson& program, const Trace& trace) {
  const std::uint64_t threads = trace.head.block.count();
  return !program.unordered.empty() && (trace.head.grid.count() > 1 || threads > trace.head.lanes);
}
Trace sorted(const Lesson& program, Trace trace) {
  trace.events.clear();
  sort_unordered(program, trace.outcome.outputs);
  return trace;
}
std::optional<std::string> output_difference(const Lesson& program, const Trace& simulated, const Trace& gpu) {
  return is_open(program, simulated) ? first_difference(sorted(program, simulated), sorted(program, gpu))
                                     : first_difference(simulated, gpu);
}

Verdict verdict_of(const std::optional<std::string>& difference) {
  return difference ? Verdict{Verdict::State::Different, *difference} : Verdict{Verdict::State::Equal, ""};
}

class Crosscheck {
 public:
  explicit Crosscheck(Session& session) : session_(session) {}
  bool prepare();
  void check(const CatalogueEntry& entry);
  void finish();

 private:
  void check_case(const Lesson& program, const Case& one);
  void check_run(const Lesson& program, const Case& one, const PreparedCase& prepared);
  void on_gpu(const Case& one, CrossRun& run, const Lesson& expanded, const PreparedCase& prepared,
              const Trace& simulated);
  void by_hand(CrossRun& run, const Lesson& expanded, const PreparedCase& prepared, const Trace& simulated,
               CapturedRun& captured);
  void against(CrossRun& run, const Lesson& expanded, const PreparedCase& prepared, const Trace& simulated);
  void read_captures(const CatalogueEntry& entry);
  void write_captures(const CatalogueEntry& entry);
  void count_stale(const Lesson& program);
  Verdict failed(const CrossRun& run, const BackendError& error);
  std::string table(const std::map<std::string, std::vector<const CrossRun*>>& by_program) const;
  std::string left_out() const;
  std::string rows_json() const;
  void write_file(const std::string& path, const std::string& text);
  std::string path_of(const CatalogueEntry& entry, const std::string& folder, const char* ending) const {
    return folder + "/" + std::string(entry.group) + "/" + std::string(entry.name) + ending;
  }
  std::optional<std::vector<unsigned>> wanted_lanes_;
  Session& session_;
  std::unique_ptr<CudaBackend> backend_;
  std::map<std::string, CudaHandle> modules_;  // by group
  std::vector<CrossRun> runs_;
  std::size_t wide_ = 0, programs_ = 0, without_capture_ = 0, without_run_ = 0, stale_ = 0, not_run_ = 0;
  bool whole_ = true;  // every run of the program could be made
  // Of the program that is being checked.
  Capture capture_;
  CaptureDevice device_;
  std::optional<Trace> steps_;  // recorded, or read
};

bool Crosscheck::prepare() {
  const Options& o = session_.options;
  if (!o.record.empty() && (!o.lanes.empty() || !o.case_name.empty())) {
    session_.reply.fail(ExitCode::Usage, "usage", "a capture has all cases at all lane counts",
                        "leave out --case and --lanes; NAMEs choose the programs");
    return false;
  }
  if (!o.lanes.empty()) {
    wanted_lanes_ = parse_lane_list(o.lanes);
    if (!wanted_lanes_) {
      session_.reply.fail(ExitCode::Usage, "usage", "--lanes " + o.lanes + " is not a list of lane counts",
                          "of 1, 2, 4, 8, 16, 32 and 64: --lanes 8,32");
      return false;
    }
  }
  if (!o.against.empty()) {
    std::error_code ignored;
    if (std::filesystem::is_directory(o.against, ignored)) return true;
    session_.reply.fail(ExitCode::BadInput, "file", "there is no folder " + o.against,
                        o.against == "h200" ? "what an H200's clocks said is for `crosscheck --cycles --against h200`"
                                            : "captures lie in a folder that `warpsim crosscheck --record DIR` made");
    return false;
  }
  backend_ = open_gpu(session_);
  return backend_ != nullptr;
}

void Crosscheck::check(const CatalogueEntry& entry) {
  const std::optional<Lesson> program = assemble_program(session_, entry);
  if (!program || expects_findings(*program)) return;  // a mistake: a GPU gives anything, or hangs
  ++programs_;
  capture_ = {};
  device_ = {};
  steps_.reset();
  whole_ = true;
  if (!session_.options.against.empty()) read_captures(entry);
  else capture_.program = program->full_name();
  const std::string& wanted = session_.options.case_name;
  for (const Case& one : program->cases)
    if (wanted.empty() || one.name == wanted) check_case(*program, one);
  if (!session_.options.against.empty()) count_stale(*program);
  if (!session_.options.record.empty() && whole_) write_captures(entry);
}

void Crosscheck::check_case(const Lesson& program, const Case& one) {
  for (const unsigned lanes : lane_counts(program, one)) {
    if (wanted_lanes_ && std::find(wanted_lanes_->begin(), wanted_lanes_->end(), lanes) == wanted_lanes_->end())
      continue;
    if (lanes > kPtxLanes) {
      ++wide_;
      continue;
    }
    CaseOverrides overrides;
    overrides.lanes = lanes;
    const std::optional<PreparedCase> prepared = tools::prepare(session_, program, one, overrides);
    if (prepared) check_run(program, one, *prepared);
  }
}

void Crosscheck::check_run(const Lesson& program, const Case& one, const PreparedCase& prepared) {
  if (backend_ && !backend_->gpu().works()) {  // what made it so was said
    ++not_run_;
    whole_ = false;
    return;
  }
  CrossRun run{program.full_name(), one.name, prepared.config.lanes, {}, {}, {}};
  const Lesson expanded = expand_collectives(program, run.lanes);
  const std::optional<Trace> simulated = execute(session_, expanded, prepared, std::nullopt);
  if (!simulated) return;
  if (simulated->outcome.trap) return report_outcome(session_, expanded, *simulated);
  if (backend_) on_gpu(one, run, expanded, prepared, *simulated);
  else against(run, expanded, prepared, *simulated);
  for (const Column& column : kColumns) {
    const Verdict& verdict = run.*column.verdict;
    if (verdict.state == Verdict::State::Different)
      session_.reply.fail(ExitCode::Mismatch, "mismatch",
                          run.program + ", case " + one.name + " at " + lanes_text({run.lanes}) + ", " + column.name +
                              ": " + verdict.text);
  }
  runs_.push_back(std::move(run));
}

// ---- with a GPU

void Crosscheck::on_gpu(const Case& one, CrossRun& run, const Lesson& expanded, const PreparedCase& prepared,
                        const Trace& simulated) {
  CapturedRun captured{
      one.name, run.lanes, input_rules(expanded, one), inputs_hash(expanded, prepared.arguments), {}, false, {}, {}};
  const auto compared = [&](const std::variant<Trace, BackendError>& ran) {
    if (const BackendError* error = std::get_if<BackendError>(&ran)) return failed(run, *error);
    return verdict_of(output_difference(expanded, simulated, std::get<Trace>(ran)));
  };
  const auto plain = backend_->run(expanded, prepared, false);
  run.ptx = compared(plain);
  if (const Trace* trace = std::get_if<Trace>(&plain)) captured.outputs = trace->outcome.outputs;
  const auto recorded = backend_->run(expanded, prepared, true);
  run.steps = is_open(expanded, simulated)
                  ? Verdict{Verdict::State::Absent, "open: " + expanded.unordered.front().reason}
                  : compared(recorded);
  by_hand(run, expanded, prepared, simulated, captured);
  if (session_.options.record.empty()) return;
  // One small trace a program: its worked example if it has one.
  const Trace* const trace = std::get_if<Trace>(&recorded);
  const bool small = simulated.head.block.count() * simulated.head.grid.count() <= kSmallThreads;
  const bool better = !steps_ || (one.name == "worked" && steps_->head.case_name != "worked");
  if (trace != nullptr && small && better) steps_ = *trace;
  capture_.runs.push_back(std::move(captured));
  PtxOptions options;
  options.lanes = run.lanes;
  options.block = simulated.head.block;
  const auto written = write_ptx(expanded, options);
  if (const PtxKernel* kernel = std::get_if<PtxKernel>(&written))
    device_.ptx[one.name + " at " + lanes_text({run.lanes})] = hash_of(ptx_module({kernel, 1}));
}

// What a GPU could not run does not differ, but it is said, and the exit code is the error's.
Verdict Crosscheck::failed(const CrossRun& run, const BackendError& error) {
  whole_ = false;
  session_.reply.fail(error.code, error.id,
                      run.program + ", case " + run.case_name + " at " + lanes_text({run.lanes}) + ": " + error.message,
                      error.hint);
  return {Verdict::State::Absent, error.message};
}

// A kernel in ordinary CUDA C++ is for warps of 32.
void Crosscheck::by_hand(CrossRun& run, const Lesson& expanded, const PreparedCase& prepared, const Trace& simulated,
                         CapturedRun& captured) {
  run.kernel.text = run.lanes == kPtxLanes ? "not built: there was no nvcc" : "kernels are for warps of 32";
  if (run.lanes != kPtxLanes) return;
  for (const CudaModule& module : cuda_modules()) {
    if (module.group != expanded.group) continue;
    if (modules_.count(expanded.group) == 0) {
      const auto loaded = backend_->gpu().load(std::string(module.ptx));
      const GpuError* error = std::get_if<GpuError>(&loaded);
      if (error != nullptr) run.kernel = failed(run, to_backend_error(*error));
      modules_[expanded.group] = error == nullptr ? std::get<CudaHandle>(loaded) : nullptr;
    }
    const CudaHandle handle = modules_[expanded.group];
    if (handle == nullptr) return;  // why was said when it was loaded
    const auto ran = backend_->run_kernel(handle, ptx_entry(expanded.full_name()), expanded, prepared);
    if (const BackendError* error = std::get_if<BackendError>(&ran)) {
      run.kernel = failed(run, *error);
      return;
    }
    const Trace& trace = std::get<Trace>(ran);
    run.kernel = verdict_of(output_difference(expanded, simulated, trace));
    captured.has_kernel = true;
    if (trace.outcome.outputs != captured.outputs) captured.kernel_outputs = trace.outcome.outputs;
  }
}

void Crosscheck::write_file(const std::string& path, const std::string& text) {
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  session_.reply.write_to(path, text);
}

void Crosscheck::write_captures(const CatalogueEntry& entry) {
  const std::string& folder = session_.options.record;
  device_.device = backend_->device();
  device_.driver = backend_->gpu().driver().driver_version();
  device_.target = backend_->gpu().driver().target();
  device_.date = today();
  write_file(path_of(entry, folder, ".json"), to_json(capture_));
  write_file(path_of(entry, folder, ".device.json"), to_json(device_));
  if (steps_) write_file(path_of(entry, folder, ".steps.ndjson"), to_ndjson(*steps_));
}

// ---- without

void Crosscheck::read_captures(const CatalogueEntry& entry) {
  const std::string path = path_of(entry, session_.options.against, ".json");
  const std::string steps = path_of(entry, session_.options.against, ".steps.ndjson");
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    ++without_capture_;
    return;
  }
  std::string text, error;
  if (!read_file(path, text, error)) return session_.reply.fail(ExitCode::BadInput, "file", error);
  auto read = read_capture(text);
  if (const std::string* why = std::get_if<std::string>(&read))
    return session_.reply.fail(ExitCode::BadInput, "capture", path + ": " + *why,
                               "make it again with `warpsim crosscheck --record`");
  capture_ = std::get<Capture>(std::move(read));
  if (std::filesystem::exists(steps, ignored)) steps_ = load_trace(session_, steps);
}

void Crosscheck::against(CrossRun& run, const Lesson& expanded, const PreparedCase& prepared, const Trace& simulated) {
  for (const CapturedRun& captured : capture_.runs) {
    if (captured.case_name != run.case_name || captured.lanes != run.lanes) continue;
    if (captured.inputs_hash != inputs_hash(expanded, prepared.arguments)) {
      run.ptx = {Verdict::State::Different, "the case's inputs have changed since the capture: record it again"};
      return;
    }
    Trace gpu;
    gpu.head = simulated.head;
    gpu.head.backend = "gpu";
    gpu.outcome.outputs = captured.outputs;
    run.ptx = verdict_of(output_difference(expanded, simulated, gpu));
    if (!captured.has_kernel) continue;
    if (!captured.kernel_outputs.empty()) gpu.outcome.outputs = captured.kernel_outputs;
    run.kernel = verdict_of(output_difference(expanded, simulated, gpu));
  }
  const bool captured = run.ptx.state != Verdict::State::Absent;
  if (!captured && !capture_.runs.empty()) ++without_run_;
  if (!steps_ || steps_->head.case_name != run.case_name || steps_->head.lanes != run.lanes) return;
  run.steps = verdict_of(first_difference(simulated, *steps_));
}

// Runs that a capture has and the program has not, or no longer.
void Crosscheck::count_stale(const Lesson& program) {
  for (const CapturedRun& captured : capture_.runs) {
    const Case* const found = program.find_case(captured.case_name);
    const std::vector<unsigned> lanes = found == nullptr ? std::vector<unsigned>{} : lane_counts(program, *found);
    stale_ += std::find(lanes.begin(), lanes.end(), captured.lanes) == lanes.end() ? 1 : 0;
  }
}

// ---- what is said

std::string Crosscheck::table(const std::map<std::string, std::vector<const CrossRun*>>& by_program) const {
  std::size_t width = 7;
  for (const auto& [program, runs] : by_program) width = std::max(width, program.size());
  std::string text = padded("program", width) + "  runs";
  for (const Column& column : kColumns) text += right_aligned(column.name, 12);
  text += "\n";
  for (const auto& [program, runs] : by_program) {
    text += padded(program, width) + right_aligned(std::to_string(runs.size()), 6);
    for (const Column& column : kColumns) {
      std::size_t equal = 0, differ = 0;
      for (const CrossRun* run : runs) {
        equal += (run->*column.verdict).state == Verdict::State::Equal ? 1 : 0;
        differ += (run->*column.verdict).state == Verdict::State::Different ? 1 : 0;
      }
      text += right_aligned(equal + differ == 0 ? "-"
                            : differ == 0       ? std::to_string(equal) + " equal"
                                                : std::to_string(differ) + " differ",
                            12);
    }
    text += "\n";
  }
  return text;
}

// What was not compared, after the verdict.
std::string Crosscheck::left_out() const {
  std::string text;
  if (wide_ != 0) text += "; " + counted(wide_, "run") + " at 64 lanes, which no GPU has, left out";
  if (not_run_ != 0) text += "; " + counted(not_run_, "run") + " not made, because the GPU has stopped working";
  if (without_run_ != 0) text += "; " + counted(without_run_, "run") + " that the captures have not";
  if (stale_ != 0) text += "; " + counted(stale_, "captured run") + " of cases that are gone";
  if (without_capture_ != 0) text += "; no capture of " + counted(without_capture_, "program");
  return text;
}

std::string Crosscheck::rows_json() const {
  std::vector<std::string> rows;
  for (const CrossRun& run : runs_) {
    JsonObject row;
    row.text("program", run.program).text("case", run.case_name).number("lanes", run.lanes);
    for (const Column& column : kColumns) {
      const Verdict& v = run.*column.verdict;
      row.raw(column.name, v.state == Verdict::State::Absent  ? "null"
                           : v.state == Verdict::State::Equal ? "true"
                                                              : "false");
      if (v.state == Verdict::State::Different) row.text(std::string(column.name) + "_difference", v.text);
    }
    rows.push_back(row.str());
  }
  return json_list(rows);
}

void Crosscheck::finish() {
  std::map<std::string, std::vector<const CrossRun*>> by_program;
  std::size_t compared = 0, different = 0;
  for (const CrossRun& run : runs_) {
    by_program[run.program].push_back(&run);
    for (const Column& column : kColumns) {
      const Verdict::State state = (run.*column.verdict).state;
      compared += state == Verdict::State::Absent ? 0 : 1;
      different += state == Verdict::State::Different ? 1 : 0;
    }
  }
  session_.reply.text(table(by_program));
  session_.reply.text(counted(by_program.size(), "program") + ", " + counted(runs_.size(), "run") + ", " +
                      counted(compared, "comparison") + ": " +
                      (different != 0  ? std::to_string(different) + " differ"
                       : compared != 0 ? "all equal"
                                       : "nothing was compared") +
                      left_out() + "\n");
  JsonObject result;
  if (backend_) {
    const std::string& driver = backend_->gpu().driver().driver_version();
    session_.reply.text("on " + backend_->device() + ", driver for CUDA " + driver + "\n");
    result.text("device", backend_->device()).text("driver", driver);
  }
  session_.reply.result(result.number("programs", by_program.size())
                            .number("comparisons", compared)
                            .number("different", different)
                            .number("at_64_lanes", wide_)
                            .number("not_made", not_run_)
                            .number("without_capture", without_capture_)
                            .number("runs_without_capture", without_run_)
                            .number("stale", stale_)
                            .raw("runs", rows_json())
                            .str());
  if (compared == 0 && session_.reply.code() == ExitCode::Ok)
    session_.reply.fail(ExitCode::Usage, "usage", "nothing was compared",
                        session_.options.against.empty()
                            ? "do --case and --lanes fit? 64 lanes have no GPU"
                            : "do --case and --lanes fit, and does the folder of --against hold captures of these?");
}

bool is_ptx_file(const std::string& name) {
  const std::string ending = std::filesystem::path(name).extension().string();
  return ending == ".ptx" || ending == ".cu";
}

// Options that only kernels from PTX heed. False after it has said so.
bool describes_no_launch(Session& session) {
  const Options& o = session.options;
  for (const auto& [option, is_given] : {std::pair{"--kernel", !o.kernel.empty()},
                                         {"--contract", o.contract},
                                         {"--link", !o.links.empty()},
                                         {"--grid", !o.grid.empty()},
                                         {"--block", !o.block.empty()},
                                         {"--input", !o.inputs.empty()},
                                         {"--param", !o.params.empty()},
                                         {"--max-cycles", !o.max_cycles.empty()},
                                         {"--shared", !o.shared.empty()},
                                         {"--resident-blocks", !o.resident_blocks.empty()}}) {
    if (!is_given) continue;
    session.reply.fail(ExitCode::Usage, "usage", std::string(option) + " is for files of PTX",
                       "programs run as their cases say");
    return false;
  }
  return true;
}

}  // namespace

void run_crosscheck(Session& session) {
  const std::vector<std::string>& names = session.options.names;
  const bool has_ptx = std::any_of(names.begin(), names.end(), is_ptx_file);
  if (!has_ptx && !describes_no_launch(session)) return;
  if (has_ptx && (session.options.cycles || !std::all_of(names.begin(), names.end(), is_ptx_file)))
    return session.reply.fail(ExitCode::Usage, "usage", "files of PTX are compared by themselves, and by their values",
                              "leave out --cycles and programs");
  if (session.options.cycles) return run_crosscheck_cycles(session);
  if (!session.options.profile.empty() || !session.options.scheduler.empty() || session.options.markdown ||
      session.options.machine_code)
    return session.reply.fail(ExitCode::Usage, "usage",
                              "--profile, --scheduler, --machine-code and --markdown are for --cycles",
                              "values do not depend on time");
  if (!session.options.record.empty() && !session.options.against.empty())
    return session.reply.fail(ExitCode::Usage, "usage", "--record and --against do not go together",
                              "record on a machine with a GPU, then compare anywhere");
  if (has_ptx) return run_crosscheck_ptx(session);
  Crosscheck crosscheck(session);
  if (!crosscheck.prepare()) return;
  if (session.options.names.empty())
    for (const CatalogueEntry& entry : session.catalogue.entries())
      if (!shows_mistakes(entry.group)) crosscheck.check(entry);
  for (const std::string& name : session.options.names) {
    std::vector<const CatalogueEntry*> found = session.catalogue.find_group(name);
    if (found.empty()) found = session.catalogue.find(name);
    if (found.empty())
      session.reply.fail(ExitCode::Usage, "usage", "there is no program or group " + in_ticks(name),
                         hint_for(session.catalogue.did_you_mean(name),
                                  "`warpsim list` names them all; --programs DIR takes others, DIR/GROUP/NAME.warp"));
    for (const CatalogueEntry* entry : found) crosscheck.check(*entry);
  }
  crosscheck.finish();
}

}  // namespace warpsim::tools
