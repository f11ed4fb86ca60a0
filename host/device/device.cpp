// See device.h.
#include "host/device/device.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "host/device/host_ranges.h"
#include "host/device/memory_left.h"
#include "isa/program/program_facts.h"
#include "isa/text/number_text.h"
#include "traces/io/writer.h"
#include "traces/record/recorder.h"
#include "traces/text/fault_drawing.h"

namespace warpsim::host {
namespace {

// Where a grid meets, as cooperative groups of CUDA 13 use it: they write to the first words alone.
constexpr std::uint64_t kWorkspaceBytes = 256;

// What the checks leave to the program and to whoever else is there.
constexpr std::uint64_t kMemoryKept = std::uint64_t{128} << 20;
// So long nobody asks again: reading what the system says takes a tenth of a millisecond, as long as a short launch.
// Nobody fills what is kept in that time.
constexpr std::chrono::milliseconds kMemoryKnown{20};

Status status_of(TrapKind kind) {
  return kind == TrapKind::Unsupported   ? Status::Unsupported
         : kind == TrapKind::Interrupted ? Status::Stopped
                                         : Status::Trap;
}

LaunchConfig config_of(const LaunchShape& shape, std::shared_ptr<const TimingProfile> timing) {
  LaunchConfig config;
  config.grid = shape.grid;
  config.block = shape.block;
  config.dynamic_shared_bytes = shape.shared_bytes;
  config.cooperative = shape.cooperative;
  if (!timing) config.schedule = kBlocksSchedule;
  config.timing = std::move(timing);
  config.reconvergence = Reconvergence::Independent;
  return config;
}

// An address where nothing is allocated may be the host's: whose memory that is.
Message host_memory_at(std::uint64_t address) {
  for (const HostRange& one : host_ranges()) {
    if (address < one.begin || address >= one.end) continue;
    if (one.name == "[heap]") return MessageId::HostHeap;
    if (one.name == "[stack]") return MessageId::HostStack;
    if (one.name.empty()) return MessageId::HostMapped;
    return {MessageId::HostVariable, {one.name.substr(one.name.rfind('/') + 1)}};
  }
  return {};
}

// Says whose memory it is, where the message says that nothing is allocated.
bool name_host(Message& message, const Message& whose) {
  if (message.id != MessageId::AccessNowhere) return !message.parts.empty() && name_host(message.parts.front(), whose);
  message = {MessageId::AccessHost, {std::move(message.parts.front()), whose}};
  return true;
}

TraceTrap told_of_host(const Trap& trap) {
  TraceTrap made = told(trap);
  if (trap.kind != TrapKind::OutOfBounds) return made;
  if (const Message whose = host_memory_at(trap.address); !whose.empty() && name_host(made.message, whose))
    made.hint = MessageId::TryDeviceMemory;
  return made;
}

// A compiler decides how many registers it takes.
BlockNeeds needs_without_registers(const Program& program, const Machine& machine) {
  BlockNeeds needs = needs_of_block(program, machine.config(), machine.shared_bytes_per_block());
  needs.registers = 0;
  return needs;
}

bool has_no_thread(const Dim3& dim) { return dim.x == 0 || dim.y == 0 || dim.z == 0; }

}  // namespace

std::variant<KernelModule*, Failure> Device::load(std::vector<PtxSource> sources) {
  auto made = KernelModule::load(memory_, std::move(sources));
  if (Failure* const failure = std::get_if<Failure>(&made)) return std::move(*failure);
  return modules_.emplace_back(std::get<std::unique_ptr<KernelModule>>(std::move(made))).get();
}

bool Device::unload(const KernelModule* module) {
  return std::erase_if(modules_, [module](const auto& one) { return one.get() == module; }) != 0;
}

void Device::tell(const KernelModule::Kernel& kernel, const Program& program, const LaunchConfig& config,
                  const TraceFinding& finding, bool is_trap) const {
  if (listeners_.finding)
    listeners_.finding(
        {launches_, kernel, program, config, finding, is_trap,
         draw_fault(program, config.lanes, finding, listeners_.trace ? FaultTrace::Made : FaultTrace::None)});
}

// Why it cannot be one.
std::optional<Failure> Device::refuse(const KernelModule::Kernel& kernel, const LaunchShape& shape,
                                      std::span<const void* const> params) {
  if (params.size() != kernel.parameter_count())
    return Failure{Status::InvalidValue, kernel.name() + " takes " + counted(kernel.parameter_count(), "parameter") +
                                             "; given are " + std::to_string(params.size())};
  if (std::find(params.begin(), params.end(), nullptr) != params.end())
    return Failure{Status::InvalidValue, "a parameter of " + kernel.name() + " has no value: a null pointer"};
  if (has_no_thread(shape.grid) || has_no_thread(shape.block))
    return Failure{Status::BadLaunch, "a grid and a block of " + kernel.name() + " have at least 1 in each dimension"};
  return std::nullopt;
}

LaunchConfig Device::begin(const LaunchShape& shape) {
  stop_ = false, ended_blocks_ = 0;
  LaunchConfig config = config_of(shape, timing_);
  config.max_cycles = max_cycles_;
  config.engine = engine_;
  config.threads = threads_;
  config.keeps_state = static_cast<bool>(listeners_.trace);
  config.stop = &stop_;
  config.ended_blocks = &ended_blocks_;
  if (shape.cooperative) {
    if (grid_workspace_ == 0) grid_workspace_ = memory_.allocate(kWorkspaceBytes, "the grid's barrier").value_or(0);
    config.grid_workspace = grid_workspace_;
    touched_.leave_out({grid_workspace_, grid_workspace_ + kWorkspaceBytes});
  }
  return config;
}

bool Device::is_memory_left() {
  const auto now = std::chrono::steady_clock::now();
  if (now < memory_known_until_) return true;
  if (memory_left() <= kMemoryKept) return false;
  memory_known_until_ = now + kMemoryKnown;
  return true;
}

struct Device::Launched {
  KernelModule::Kernel& kernel;
  const Program& program;
  const LaunchConfig& config;
  const Binding& binding;
};

// What those parameters hold which the kernel may store through.
static std::vector<std::uint64_t> stored_addresses(const Program& program, const Binding& binding) {
  const std::vector<std::byte> passed = bytes_passed(program, binding);
  std::vector<std::uint64_t> addresses;
  for (const ParamPart& part : program.facts->stored) {
    const auto param = static_cast<std::size_t>(part.param);
    std::uint64_t address = binding.params[param];
    const std::size_t at = program.params[param].offset_bytes + static_cast<std::size_t>(part.offset);
    if (program.params[param].value_bytes != 0 && at + sizeof address <= passed.size())
      std::memcpy(&address, &passed[at], sizeof address);
    addresses.push_back(address);
  }
  return addresses;
}

// For a launch of this kernel, which it may take to be calm if nobody else watches.
void Device::prepare(Checker& checker, const Launched& launched, UndefinedWords undefined) {
  checker.begin_with(std::move(undefined));
  checker.ask_for_memory([this] { return is_memory_left(); });
  const bool is_alone = !listeners_.trace && !listeners_.statistics && !timing_;
  const Calm& calm = launched.kernel.calm();
  if (is_alone && calm.memory)
    checker.take_as_calm(calm_pages_, calm, records_touched_, stored_addresses(launched.program, launched.binding));
}

// Not all was as calm as the checker took it to be.
RunResult Device::run_again(Launched& launched, Machine& machine, TouchingChecker& checker) {
  launched.kernel.set_calm(checker.calm_of_repeat());
  if (listeners_.engine)
    listeners_.engine(launches_, launched.kernel.name(), "runs again: not all was as calm as its checks took it to be");
  UndefinedWords undefined = checker.undo();
  checker = TouchingChecker(records_touched_ ? &touched_ : nullptr);
  prepare(checker, launched, std::move(undefined));
  ended_blocks_ = 0;
  machine = std::get<Machine>(Machine::create(launched.program, launched.config, launched.binding, memory_));
  EventSink* const sink = &checker;
  return machine.run({&sink, 1});
}

// If its machine code is timed. The kernel's first launch finds no code in caches.
std::optional<CodeTimer> Device::timer_of(const KernelModule::Kernel& kernel, const LaunchConfig& config,
                                          std::span<const void* const> params) {
  if (!listeners_.statistics || !times_code_) return std::nullopt;
  std::optional<CodeTimer> timer(std::in_place, memory_, kernel, config, params);
  if (timer->code() != nullptr && launched_code_.insert(timer->code()).second) timer->set_first();
  return timer;
}

// With the time of its machine code, if `code` is there.
void Device::tell_statistics(const Launched& launched, const Machine& machine, const Statistics& statistics,
                             CodeTimer* code, bool has_ended) const {
  std::optional<CodeTime> time;
  if (code != nullptr) time = has_ended ? code->time() : CodeTime{"it was stopped"};
  listeners_.statistics({launches_, launched.kernel, machine.config(), statistics,
                         needs_without_registers(launched.program, machine), has_ended, time ? &*time : nullptr});
}

std::optional<Failure> Device::launch(KernelModule::Kernel& kernel, const LaunchShape& shape,
                                      std::span<const void* const> params) {
  if (std::optional<Failure> failure = refuse(kernel, shape, params)) return failure;
  const auto made = kernel.module().program_of(kernel);
  if (const Failure* const failure = std::get_if<Failure>(&made)) return *failure;
  const Program& program = *std::get<const Program*>(made);
  LaunchConfig config = begin(shape);
  if (listeners_.engine)
    config.engine_log = [&](std::string_view line) { listeners_.engine(launches_, kernel.name(), line); };
  config.history = kernel.history();
  Binding binding = kernel.module().bind(kernel, params);
  binding.heap = &heap_;
  auto created = Machine::create(program, config, binding, memory_);
  if (const LaunchError* const error = std::get_if<LaunchError>(&created))
    return Failure{Status::BadLaunch,
                   kernel.name() + ": " + error->message + (error->hint.empty() ? "" : "\n  hint: " + error->hint)};
  Machine& machine = std::get<Machine>(created);
  ++launches_;
  Launched launched{kernel, program, config, binding};

  std::vector<EventSink*> sinks;
  std::optional<TouchingChecker> checker;
  std::optional<Recorder> recorder;
  std::optional<TraceWriter> writer;
  StatisticsCounter counter;
  if (checks_) {
    sinks.push_back(&checker.emplace(records_touched_ ? &touched_ : nullptr));
    prepare(*checker, launched, std::move(undefined_));
  }
  undefined_ = {};
  if (listeners_.trace) {
    writer.emplace(TraceShape::Ndjson, listeners_.trace);
    RecorderOptions options;
    options.checker = checks_ ? &*checker : nullptr;
    recorder.emplace(options, TraceConsumer{[&](const TraceHead& head) { writer->head(head); },
                                            [&](const TraceEvent& event) { writer->event(event); },
                                            [&](const TraceOutcome& outcome) { writer->outcome(outcome); }});
    sinks.push_back(&*recorder);
  }
  if (listeners_.statistics) sinks.push_back(&counter);
  std::optional<CodeTimer> code = timer_of(kernel, config, params);

  RunResult result = machine.run(sinks);
  kernel.set_history(machine.history());
  while (checker && checker->must_repeat()) result = run_again(launched, machine, *checker);
  if (checker && checker->is_taken_as_calm() && records_touched_) touched_.add(calm_pages_);
  calm_pages_.end();
  if (checker) undefined_ = checker->take_memory();
  if (listeners_.print && !result.printed.empty()) listeners_.print(result.printed);
  if (listeners_.print && !result.printed_all) listeners_.print("\n(more was printed, and is lost)\n");
  if (checker)
    for (const TraceFinding& found : told(*checker, result)) tell(kernel, program, config, found, false);
  if (listeners_.statistics)
    tell_statistics(launched, machine, counter.statistics(), code ? &*code : nullptr, result.ok);
  if (result.ok) return std::nullopt;
  const TraceTrap trap = told_of_host(result.trap);
  tell(kernel, program, config, trap, true);
  return Failure{status_of(result.trap.kind), draw_fault(program, config.lanes, trap, FaultTrace::None),
                 result.trap.kind, result.trap.message.id == MessageId::AssertionFailed};
}

}  // namespace warpsim::host
