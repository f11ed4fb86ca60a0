// crosscheck of kernels from PTX: the same text on the GPU, and every buffer compared.
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/ptx/ptx_fusing.h"
#include "isa/ptx/ptx_reader.h"
#include "isa/ptx_writer/ptx_writer.h"
#include "isa/text/number_text.h"
#include "tools/command/verbs.h"
#include "tools/cuda/recording/capture.h"
#include "tools/session/gpu_session.h"
#include "tools/session/loading.h"
#include "tools/session/ptx_lessons.h"
#include "tools/support/json_object.h"
#include "tools/support/output.h"
#include "tools/support/unordered.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

constexpr std::size_t kKeptElements = 4096;  // of a longer buffer a capture has the hash

// What two right runs may leave otherwise is made equal: outputs that warps fill in any order, and what the module puts
// an address in, a table of virtual functions say, since two machines have other addresses.
void make_comparable(const Program& program, Arrays& arrays) {
  sort_unordered(program, arrays);
  for (auto& [name, array] : arrays) {
    const Param& p = program.params[static_cast<std::size_t>(program.find_param(name))];
    const std::uint64_t size = static_cast<std::uint64_t>(bytes(p.type));
    for (const InitialAddress& one : p.addresses)
      for (std::uint64_t at = one.at / size; at * size < one.at + one.bytes && at < array.bits.size(); ++at)
        array.bits[at] = 0;
  }
}

// What a run leaves in each buffer and variable, in the order of the parameters.
Arrays contents_of(const Machine& machine) {
  Arrays all;
  for (const Param& p : machine.program().params)
    if (p.is_buffer() && !p.is_constant) all.emplace_back(p.name, machine.buffer(p.name));
  make_comparable(machine.program(), all);
  return all;
}

struct PtxRun {
  std::string file, kernel, case_name;
  std::size_t buffers = 0;   // that were compared
  std::uint64_t bytes = 0;   // … of them
  std::string difference;    // "": equal
  bool is_compared = false;  // else why was said
};

std::string value_text(Type type, std::uint64_t value) {
  return format_value(type, value) + " (" + hexadecimal_text(value) + ")";
}

// The first element that differs; "" if none does.
std::string array_difference(const std::string& name, const Array& here, const Array& gpu) {
  if (here.bits.size() != gpu.bits.size() || here.type != gpu.type)
    return name + " has " + counted(here.bits.size(), "element") + " here, " + std::to_string(gpu.bits.size()) +
           " on the GPU";
  std::size_t first = here.bits.size(), differing = 0;
  for (std::size_t k = here.bits.size(); k-- > 0;) {
    if (here.bits[k] == gpu.bits[k]) continue;
    first = k;
    ++differing;
  }
  if (differing == 0) return "";
  return name + "[" + std::to_string(first) + "] is " + value_text(here.type, here.bits[first]) + " here, " +
         value_text(gpu.type, gpu.bits[first]) + " on the GPU; " + std::to_string(differing) + " of " +
         std::to_string(here.bits.size()) + " differ";
}

class PtxCrosscheck {
 public:
  explicit PtxCrosscheck(Session& session) : session_(session) {}
  bool prepare();
  void check(const std::string& file);
  void finish();

 private:
  struct Kernel {
    const Lesson& lesson;
    const std::string& file;
    std::string entry, ptx;  // ptx: as the GPU's compiler gets it
    std::string machine_code;
  };
  void check_kernel(const Lesson& lesson, const std::string& file);
  void check_case(Kernel& kernel, const Case& one, const CaseOverrides& overrides);
  std::optional<Arrays> on_gpu(Kernel& kernel, const PreparedCase& prepared, const Machine& machine);
  void compare(PtxRun& run, const Arrays& here, const Arrays& gpu);
  void compare_with(PtxRun& run, const Arrays& here, const CapturedRun& captured);
  void add(PtxRun& run, const std::string& name, const Array& here, const std::string& difference);
  bool read_captures(const Kernel& kernel);
  void write_captures(const Kernel& kernel);
  void gpu_failed(const PtxRun& run, const GpuError& error);
  std::string capture_path(const Kernel& kernel) const;

  Session& session_;
  std::unique_ptr<CudaBackend> backend_;
  Capture capture_;  // of the kernel that is being checked
  bool whole_ = true;
  std::vector<PtxRun> runs_;
  std::size_t not_run_ = 0, without_capture_ = 0;
};

bool PtxCrosscheck::prepare() {
  const Options& o = session_.options;
  if (!o.lanes.empty() && o.lanes != std::to_string(kPtxLanes)) {
    session_.reply.fail(ExitCode::Usage, "usage",
                        "a GPU's warps have 32 lanes, and kernels from PTX run on it as they are", "leave out --lanes");
    return false;
  }
  if (!o.links.empty()) {
    session_.reply.fail(ExitCode::Unsupported, "unsupported",
                        "crosscheck gives a GPU one module of PTX, none that is linked",
                        "compile the files into one module, without -rdc=true");
    return false;
  }
  if (!o.against.empty()) return true;
  backend_ = open_gpu(session_);
  return backend_ != nullptr;
}

void PtxCrosscheck::check(const std::string& file) {
  for (const Lesson& lesson : load_programs(session_, file)) check_kernel(lesson, file);
}

void PtxCrosscheck::check_kernel(const Lesson& lesson, const std::string& file) {
  if (backend_ && lesson.launches_kernels())
    return session_.reply.fail(
        ExitCode::Unsupported, "unsupported",
        file + ": " + lesson.name + " launches kernels, and crosscheck gives the driver no device runtime",
        "link it with nvcc -rdc=true -lcudadevrt, and compare what it leaves");
  const ptx::ReadModule read = ptx::read_module(lesson.source().text, file);
  Kernel kernel{lesson, file, "", "", ""};
  for (const ptx::Function& one : read.module.functions)
    if (one.is_entry && one.name.where == lesson.where) kernel.entry = std::string(one.name.text);
  if (!session_.options.contract) {
    kernel.ptx = ptx::with_roundings(read.module);
  } else {  // what the simulator fuses itself the GPU's compiler is to fuse
    const std::optional<PtxText> as_written = ptx_of_file(session_, file);
    if (!as_written) return;
    kernel.ptx = as_written->text;
  }
  kernel.ptx = ptx::without_locations(kernel.ptx);
  capture_ = {};
  whole_ = true;
  if (session_.options.against.empty()) capture_.program = kernel.entry;
  else if (!read_captures(kernel)) return;
  const std::optional<CaseOverrides> overrides = read_overrides(session_, lesson);
  if (!overrides) return;
  if (lesson.cases.empty() || !session_.options.case_name.empty()) {
    const std::optional<Case> chosen = choose_case(session_, lesson);
    if (chosen) check_case(kernel, *chosen, *overrides);
  } else {
    for (const Case& one : lesson.cases) check_case(kernel, one, *overrides);
  }
  if (!session_.options.record.empty() && whole_ && !capture_.runs.empty()) write_captures(kernel);
}

void PtxCrosscheck::check_case(Kernel& kernel, const Case& one, const CaseOverrides& overrides) {
  if (backend_ && !backend_->gpu().works()) {  // what made it so was said
    ++not_run_;
    whole_ = false;
    return;
  }
  const std::optional<PreparedCase> prepared = tools::prepare(session_, kernel.lesson, one, overrides);
  if (!prepared) return;
  if (prepared->config.lanes != kPtxLanes)
    return session_.reply.fail(ExitCode::Unsupported, "unsupported",
                               kernel.file + ": case " + one.name + " runs at " +
                                   counted(prepared->config.lanes, "lane") + ", a GPU's warps have 32",
                               "leave `lanes` out of the case");
  auto made = Machine::create(kernel.lesson, prepared->config, prepared->arguments);
  Machine* const machine = std::get_if<Machine>(&made);
  if (machine == nullptr || !machine->run().ok) {  // once more, so that it is told with all that there is to say
    whole_ = false;
    if (const std::optional<Trace> trace = execute(session_, kernel.lesson, *prepared, no_events()))
      report_outcome(session_, kernel.lesson, *trace);
    return;
  }
  PtxRun run{kernel.file, kernel.lesson.name, prepared->name, 0, 0, "", false};
  const Arrays here = contents_of(*machine);
  const std::string inputs = inputs_hash(kernel.lesson, prepared->arguments);
  if (backend_) {
    // As the machine was before it ran: that is what is launched.
    auto fresh = Machine::create(kernel.lesson, prepared->config, prepared->arguments);
    const std::optional<Arrays> gpu = on_gpu(kernel, *prepared, std::get<Machine>(fresh));
    if (!gpu) return;
    compare(run, here, *gpu);
    CapturedRun captured{run.case_name, kPtxLanes, input_rules(kernel.lesson, one), inputs, {}, false, {}, {}};
    for (const auto& [name, array] : *gpu) {
      if (array.bits.size() > kKeptElements) captured.hashes[name] = hash_of(array);
      else captured.outputs.emplace_back(name, array);
    }
    capture_.runs.push_back(std::move(captured));
  } else {
    for (const CapturedRun& captured : capture_.runs) {
      if (captured.case_name != run.case_name) continue;
      if (captured.inputs_hash == inputs) compare_with(run, here, captured);
      else add(run, "", {}, "the case's inputs have changed since the capture: record it again");
    }
    if (!run.is_compared) ++without_capture_;
  }
  if (!run.difference.empty())
    session_.reply.fail(ExitCode::Mismatch, "mismatch",
                        run.file + ": " + run.kernel + (run.case_name.empty() ? "" : ", case " + run.case_name) + ": " +
                            run.difference);
  runs_.push_back(std::move(run));
}

// ---- with a GPU

void PtxCrosscheck::gpu_failed(const PtxRun& run, const GpuError& error) {
  whole_ = false;
  const BackendError said = to_backend_error(error);
  session_.reply.fail(said.code, said.id, run.file + ": " + said.message, said.hint);
}

std::optional<Arrays> PtxCrosscheck::on_gpu(Kernel& kernel, const PreparedCase& prepared, const Machine& machine) {
  Gpu& gpu = backend_->gpu();
  const PtxRun run{kernel.file, kernel.lesson.name, prepared.name, 0, 0, "", false};
  if (kernel.machine_code.empty()) {
    auto compiled = gpu.compile(kernel.ptx);
    if (const GpuError* error = std::get_if<GpuError>(&compiled)) return gpu_failed(run, *error), std::nullopt;
    kernel.machine_code = std::get<std::string>(std::move(compiled));
  }
  // Anew for each case: variables begin as the module says.
  const auto loaded = gpu.load_machine_code(kernel.machine_code);
  if (const GpuError* error = std::get_if<GpuError>(&loaded)) return gpu_failed(run, *error), std::nullopt;
  GpuLaunch plan;
  plan.entry = kernel.entry;
  plan.machine = &machine;
  plan.block = machine.config().block;
  plan.shared_bytes = machine.config().dynamic_shared_bytes;
  plan.reads_variables = true;
  auto ran = gpu.run(std::get<CudaHandle>(loaded), {&plan, 1});
  if (gpu.works()) gpu.unload(std::get<CudaHandle>(loaded));
  if (const GpuError* error = std::get_if<GpuError>(&ran)) return gpu_failed(run, *error), std::nullopt;
  Arrays all;
  auto& buffers = std::get<std::vector<GpuRun>>(ran).front().buffers;
  for (const Param& p : kernel.lesson.params)
    if (const auto found = buffers.find(p.name); found != buffers.end())
      all.emplace_back(p.name, std::move(found->second));
  make_comparable(kernel.lesson, all);
  return all;
}

void PtxCrosscheck::add(PtxRun& run, const std::string& name, const Array& here, const std::string& difference) {
  run.is_compared = true;
  run.buffers += name.empty() ? 0 : 1;
  run.bytes += here.bits.size() * static_cast<std::uint64_t>(bytes(here.type));
  if (run.difference.empty()) run.difference = difference;
}

// What the GPU does not show, a variable of its module, is left out.
void PtxCrosscheck::compare(PtxRun& run, const Arrays& here, const Arrays& gpu) {
  run.is_compared = true;
  for (const auto& [name, array] : here)
    for (const auto& [other, there] : gpu)
      if (name == other) add(run, name, array, array_difference(name, array, there));
}

void PtxCrosscheck::compare_with(PtxRun& run, const Arrays& here, const CapturedRun& captured) {
  compare(run, here, captured.outputs);
  for (const auto& [name, array] : here)
    if (const auto found = captured.hashes.find(name); found != captured.hashes.end())
      add(run, name, array, found->second == hash_of(array) ? "" : name + " differs from what the GPU computed");
}

// ---- captures: DIR/FILE/ENTRY.json

std::string PtxCrosscheck::capture_path(const Kernel& kernel) const {
  constexpr std::size_t kLongestName = 200;
  const std::string& folder = session_.options.record.empty() ? session_.options.against : session_.options.record;
  const std::string entry = kernel.entry.size() > kLongestName ? hash_of(kernel.entry) : kernel.entry;
  return folder + "/" + std::filesystem::path(kernel.file).stem().string() + "/" + entry + ".json";
}

bool PtxCrosscheck::read_captures(const Kernel& kernel) {
  const std::string path = capture_path(kernel);
  std::string text, error;
  if (!read_file(path, text, error)) {
    session_.reply.fail(ExitCode::BadInput, "file", error, "captures are made by `warpsim crosscheck --record DIR`");
    return false;
  }
  auto read = read_capture(text);
  if (const std::string* why = std::get_if<std::string>(&read)) {
    session_.reply.fail(ExitCode::BadInput, "capture", path + ": " + *why,
                        "make it again with `warpsim crosscheck --record`");
    return false;
  }
  capture_ = std::get<Capture>(std::move(read));
  return true;
}

void PtxCrosscheck::write_captures(const Kernel& kernel) {
  const std::string path = capture_path(kernel);
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  session_.reply.write_to(path, to_json(capture_));
}

// ---- the answer

void PtxCrosscheck::finish() {
  std::size_t compared = 0, different = 0;
  std::vector<std::string> rows;
  for (const PtxRun& run : runs_) {
    compared += run.is_compared ? 1 : 0;
    different += run.difference.empty() ? 0 : 1;
    const std::string what = !run.is_compared         ? "not compared: the capture has no such case"
                             : run.difference.empty() ? "equal"
                                                      : "differs";
    session_.reply.text(
        run.file + ": " + run.kernel + (run.case_name.empty() ? "" : ", case " + run.case_name) + ": " + what +
        (run.is_compared ? ", " + counted(run.buffers, "buffer") + ", " + counted(run.bytes, "byte") : "") + "\n");
    JsonObject row;
    row.text("file", run.file).text("kernel", run.kernel).text("case", run.case_name);
    row.raw("equal", !run.is_compared ? "null" : run.difference.empty() ? "true" : "false");
    row.number("buffers", run.buffers).number("bytes", run.bytes);
    if (!run.difference.empty()) row.text("difference", run.difference);
    rows.push_back(row.str());
  }
  session_.reply.text(
      counted(runs_.size(), "run") + ", " + std::to_string(compared) + " compared: " +
      (different != 0  ? std::to_string(different) + " differ"
       : compared != 0 ? "all equal"
                       : "nothing was compared") +
      (not_run_ == 0 ? "" : "; " + counted(not_run_, "run") + " not made, because the GPU has stopped working") + "\n");
  JsonObject result;
  if (backend_) {
    const std::string& driver = backend_->gpu().driver().driver_version();
    session_.reply.text("on " + backend_->device() + ", driver for CUDA " + driver + "\n");
    result.text("device", backend_->device()).text("driver", driver);
  }
  session_.reply.result(result.number("compared", compared)
                            .number("different", different)
                            .number("not_made", not_run_)
                            .number("runs_without_capture", without_capture_)
                            .raw("runs", json_list(rows))
                            .str());
  if (compared == 0 && session_.reply.code() == ExitCode::Ok)
    session_.reply.fail(ExitCode::Usage, "usage", "nothing was compared");
}

}  // namespace

void run_crosscheck_ptx(Session& session) {
  PtxCrosscheck crosscheck(session);
  if (!crosscheck.prepare()) return;
  for (const std::string& file : session.options.names) crosscheck.check(file);
  crosscheck.finish();
}

}  // namespace warpsim::tools
