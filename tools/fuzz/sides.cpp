// The simulator and the reference as sides; see sides.h.
#include "tools/fuzz/sides.h"

#include <utility>
#include <variant>

#include "isa/program/expand.h"
#include "sim/check/value_uses.h"

namespace warpsim::fuzz {

namespace {

// Reads every event, and keeps only their number.
class Counting : public EventSink {
 public:
  void on_issue(const IssueEvent&) override { ++issues; }
  std::uint64_t issues = 0;
};

Outcome outcome_of(const Program& program, const Machine& machine, const RunResult& result) {
  Outcome outcome;
  outcome.instructions = result.instructions;
  outcome.stopped = !result.ok;
  if (!result.ok) outcome.why = english(result.trap.message);
  for (const Param& p : program.params)
    if (p.kind == Param::Kind::Out || p.kind == Param::Kind::InOut) outcome.buffers[p.name] = machine.buffer(p.name);
  return outcome;
}

Outcome refused(const LaunchError& error) { return {true, "does not launch: " + error.message, {}, 0}; }

class Simulator : public Side {
 public:
  std::string_view name() const override { return "simulator"; }
  std::vector<Outcome> run(std::span<const Job* const> jobs) override {
    std::vector<Outcome> outcomes;
    for (const Job* job : jobs) outcomes.push_back(run_one(*job));
    return outcomes;
  }

 private:
  virtual Outcome run_one(const Job& job) {
    return launch(job, job.program, [](Machine& machine) { return machine.run(); });
  }

 protected:
  template <class Run>
  static Outcome launch(const Job& job, const Program& program, Run run) {
    auto created = Machine::create(program, job.config, job.arguments);
    if (const auto* error = std::get_if<LaunchError>(&created)) return refused(*error);
    Machine& machine = std::get<Machine>(created);
    const RunResult result = run(machine);
    return outcome_of(program, machine, result);
  }
};

class Compiled : public Simulator {
 public:
  std::string_view name() const override { return "compiled simulator"; }

 private:
  Outcome run_one(const Job& job) override {
    Job compiled = job;
    compiled.config.schedule = kBlocksSchedule;
    compiled.config.reconvergence = Reconvergence::Independent;
    compiled.config.engine = EngineChoice::Compiled;
    compiled.config.max_cycles = kNoCycleLimit;  // a cycle is one instruction of one warp there
    return launch(compiled, compiled.program, [](Machine& machine) { return machine.run(); });
  }
};

class Watched : public Simulator {
 public:
  std::string_view name() const override { return "watched simulator"; }

 private:
  Outcome run_one(const Job& job) override {
    Counting counting;
    Outcome outcome = launch(job, job.program, [&counting](Machine& machine) {
      EventSink* const sinks[] = {&counting};
      return machine.run(sinks);
    });
    if (!outcome.stopped && counting.issues != outcome.instructions)
      return {true, "not every instruction was reported", {}, outcome.instructions};
    return outcome;
  }
};

class Expanded : public Simulator {
 public:
  std::string_view name() const override { return "simulator with collectives expanded"; }

 private:
  Outcome run_one(const Job& job) override {
    const Program expanded = expand_collectives(job.program, job.config.lanes);
    return launch(job, expanded, [](Machine& machine) { return machine.run(); });
  }
};

class Reference : public Side {
 public:
  std::string_view name() const override { return "reference"; }
  std::vector<Outcome> run(std::span<const Job* const> jobs) override {
    std::vector<Outcome> outcomes;
    for (const Job* job : jobs) {
      const auto created = Machine::create(job->program, job->config, job->arguments);
      if (const auto* error = std::get_if<LaunchError>(&created)) outcomes.push_back(refused(*error));
      else outcomes.push_back(run_one(*job, std::get<Machine>(created)));
    }
    return outcomes;
  }

 private:
  static Outcome run_one(const Job& job, const Machine& machine) {
    reference::Result result = reference::run(job.program, launch_of(job, machine));
    Outcome outcome{result.trapped, std::move(result.why), {}, 0};
    for (const Param& p : job.program.params)
      if (p.kind == Param::Kind::Out || p.kind == Param::Kind::InOut)
        outcome.buffers[p.name] = std::move(result.buffers[p.name]);
    return outcome;
  }
};

// Finds the uses of undefined values, as the recorder of traces does.
class Uses : public EventSink {
 public:
  void on_start(const Machine& machine) override {
    shadow_.on_start(machine);
    uses_.begin(machine);
  }
  void on_issue(const IssueEvent& event) override {
    issue_ = event;
    shadow_.on_issue(event);
    uses_.on_issue(event, shadow_);
  }
  void on_exchange(const ExchangeEvent& event) override { shadow_.on_exchange(event); }
  void on_memory(const MemoryEvent& event) override {
    shadow_.on_memory(event);
    uses_.on_memory(issue_, event, shadow_);
  }
  void on_write(const WriteEvent& event) override { shadow_.on_write(event); }
  void on_sync(const SyncEvent& event) override { shadow_.on_sync(event); }
  void on_finish(const Machine&, const RunResult&) override { uses_.on_finish({}, shadow_); }
  const std::vector<RunFinding>& found() const { return uses_.found(); }

 private:
  IssueEvent issue_{};
  UndefinedLanes shadow_;
  ValueUses uses_;
};

}  // namespace

std::unique_ptr<Side> simulator_side() { return std::make_unique<Simulator>(); }
std::unique_ptr<Side> compiled_side() { return std::make_unique<Compiled>(); }
std::unique_ptr<Side> watched_side() { return std::make_unique<Watched>(); }
std::unique_ptr<Side> expanded_side() { return std::make_unique<Expanded>(); }
std::unique_ptr<Side> reference_side() { return std::make_unique<Reference>(); }

std::string undefined_use(const Job& job) {
  auto created = Machine::create(job.program, job.config, job.arguments);
  if (!std::holds_alternative<Machine>(created)) return "";
  Uses uses;
  EventSink* const sinks[] = {&uses};
  std::get<Machine>(created).run(sinks);
  return uses.found().empty() ? "" : english(uses.found().front().message);
}

reference::Launch launch_of(const Job& job, const Machine& machine) {
  reference::Launch launch;
  launch.lanes = job.config.lanes;
  launch.grid = job.config.grid;
  launch.block = job.config.block;
  launch.max_steps = 3'000'000;  // ten times what the longest program needs; a wrong one may loop
  launch.scalars = job.arguments.scalars;
  launch.buffers = job.arguments.buffers;
  for (std::size_t k = 0; k < job.program.params.size(); ++k) {
    if (!job.program.params[k].is_buffer()) continue;
    launch.addresses[job.program.params[k].name] = machine.buffer_address(static_cast<std::int32_t>(k));
  }
  return launch;
}

}  // namespace warpsim::fuzz
