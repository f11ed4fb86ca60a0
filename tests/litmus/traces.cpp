// Runs each thread alone, with every value that a load could return.
#include "tests/litmus/traces.h"

#include <algorithm>
#include <map>
#include <utility>

#include "tests/litmus/relation.h"

namespace warpsim::litmus {
namespace {

using Values = std::vector<std::set<std::int64_t>>;  // by location

struct State {
  std::size_t pc = 0;
  std::vector<std::int64_t> registers;
  std::vector<std::uint64_t> from;  // which reads each register comes from
  std::uint64_t control = 0;        // which reads the path comes from
  std::uint64_t guard = 0;          // which reads the instruction's guard comes from
  std::map<std::size_t, unsigned> repeats;
  std::map<std::int64_t, std::int32_t> arrivals;
  std::vector<Event> events;
};

class Runner {
 public:
  Runner(const Program& program, std::size_t thread, const Values& values, const Limits& limits, Traces& out)
      : thread_(program.threads[thread]), number_(thread), values_(values), limits_(limits), out_(out) {}

  void run() {
    State state;
    state.registers = thread_.initial;
    state.registers.resize(thread_.registers.size());
    state.from.resize(thread_.registers.size());
    continue_from(std::move(state));
  }

 private:
  void continue_from(State state);
  void step(State& state, const Instruction& insn);
  bool skips(State& state, const Instruction& insn) const;
  std::size_t jump(State& state, const Instruction& insn);
  void read(const State& state, const Instruction& insn);
  void write(State& state, const Instruction& insn, std::int64_t old, std::uint64_t old_from, bool atomic);
  void arrive(State& state, const Instruction& insn);
  Event access(const State& state, const Instruction& insn, Event::Kind kind);

  static std::int64_t value(const State& state, const Operand& operand) {
    return operand.reg < 0 ? operand.constant : state.registers[static_cast<std::size_t>(operand.reg)];
  }
  static std::uint64_t from(const State& state, const Operand& operand) {
    return operand.reg < 0 ? 0 : state.from[static_cast<std::size_t>(operand.reg)];
  }
  static void set(State& state, std::int32_t target, std::int64_t value, std::uint64_t from) {
    if (target < 0) return;
    state.registers[static_cast<std::size_t>(target)] = value;
    state.from[static_cast<std::size_t>(target)] = from | state.guard;
  }

  const Thread& thread_;
  std::size_t number_;
  const Values& values_;
  const Limits& limits_;
  Traces& out_;
  bool ended_ = false;  // the path that is being run repeats too often
};

bool Runner::skips(State& state, const Instruction& insn) const {
  state.guard = 0;
  if (insn.guard < 0) return false;
  const std::size_t guard = static_cast<std::size_t>(insn.guard);
  state.guard = state.from[guard];
  if ((state.registers[guard] != 0) != insn.guard_negated) return false;
  // What is not written comes from the guard, too.
  if (insn.target >= 0) state.from[static_cast<std::size_t>(insn.target)] |= state.guard;
  if (insn.kind == Instruction::Kind::Jump) state.control |= state.guard;
  return true;
}

Event Runner::access(const State& state, const Instruction& insn, Event::Kind kind) {
  Event event;
  event.kind = kind;
  event.thread = static_cast<std::int32_t>(number_);
  event.origin = insn.origin;
  event.order = insn.order;
  event.scope = insn.scope;
  event.depends = state.control | state.guard | from(state, insn.index);
  const std::int64_t index = value(state, insn.index);
  if (insn.location >= 0) {
    if (index < 0 || index >= insn.extent) out_.refused = "an index outside of its array";
    event.location = insn.location + static_cast<std::int32_t>(std::clamp<std::int64_t>(index, 0, insn.extent - 1));
  }
  return event;
}

// Where the thread goes on.
std::size_t Runner::jump(State& state, const Instruction& insn) {
  state.control |= state.guard | from(state, insn.a) | from(state, insn.b);
  if (evaluate(insn.math, value(state, insn.a), value(state, insn.b), 0, insn.bits, insn.is_signed) == 0)
    return state.pc + 1;
  const std::size_t to = static_cast<std::size_t>(insn.jump);
  if (to <= state.pc && ++state.repeats[state.pc] > limits_.repeats) out_.cut = ended_ = true;
  return to;
}

void Runner::write(State& state, const Instruction& insn, std::int64_t old, std::uint64_t old_from, bool atomic) {
  Event event = access(state, insn, Event::Kind::Write);
  const std::int64_t a = value(state, insn.a), b = value(state, insn.b);
  const std::uint64_t given = from(state, insn.a) | from(state, insn.b);
  event.atomic = atomic;
  if (!atomic || insn.math == Math::Exchange) {
    event.value = evaluate(Math::Move, a, 0, 0, insn.bits, insn.is_signed);
    event.depends |= given;
  } else {
    event.depends |= given | old_from;
    if (insn.math == Math::CompareSwap)
      event.value = evaluate(Math::Equal, old, a, 0, insn.bits, insn.is_signed) != 0
                        ? evaluate(Math::Move, b, 0, 0, insn.bits, insn.is_signed)
                        : old;
    else event.value = evaluate(insn.math, old, a, 0, insn.bits, insn.is_signed);
  }
  if (insn.order == Order::Acquire) event.order = Order::Relaxed;
  if (insn.order == Order::AcqRel) event.order = Order::Release;
  state.events.push_back(event);
}

void Runner::read(const State& state, const Instruction& insn) {
  Event event = access(state, insn, Event::Kind::Read);
  const bool atomic = insn.kind == Instruction::Kind::Atomic;
  event.atomic = atomic;
  if (insn.order == Order::Release) event.order = Order::Relaxed;
  if (insn.order == Order::AcqRel) event.order = Order::Acquire;
  const std::uint64_t self = one(state.events.size());
  for (const std::int64_t each : values_[static_cast<std::size_t>(event.location)]) {
    State next = state;
    event.value = each;
    next.events.push_back(event);
    if (atomic) write(next, insn, each, self, true);
    set(next, insn.target, each, self | event.depends);
    ++next.pc;
    continue_from(std::move(next));
  }
}

void Runner::arrive(State& state, const Instruction& insn) {
  Event event = access(state, insn, Event::Kind::Barrier);
  event.barrier = value(state, insn.a);
  event.instance = insn.instance;
  event.waits = insn.waits;
  event.within_warp = insn.within_warp;
  event.members = insn.members;
  const std::int64_t key = insn.within_warp ? -1 - static_cast<std::int64_t>(insn.members) : event.barrier;
  event.arrival = state.arrivals[key]++;
  state.events.push_back(event);
}

void Runner::step(State& state, const Instruction& insn) {
  switch (insn.kind) {
    case Instruction::Kind::Set:
      set(state, insn.target,
          evaluate(insn.math, value(state, insn.a), value(state, insn.b), value(state, insn.c), insn.bits,
                   insn.is_signed),
          from(state, insn.a) | from(state, insn.b) | from(state, insn.c));
      break;
    case Instruction::Kind::Store: write(state, insn, 0, 0, false); break;
    case Instruction::Kind::Fence: state.events.push_back(access(state, insn, Event::Kind::Fence)); break;
    case Instruction::Kind::Barrier: arrive(state, insn); break;
    case Instruction::Kind::Jump: state.pc = jump(state, insn); return;
    default: break;
  }
  ++state.pc;
}

void Runner::continue_from(State state) {
  ended_ = false;
  while (state.pc < thread_.code.size() && out_.refused.empty()) {
    const Instruction& insn = thread_.code[state.pc];
    if (state.events.size() + 2 > kMaxEvents) {
      out_.refused = kTooManyEvents;
    } else if (skips(state, insn)) {
      ++state.pc;
    } else if (insn.kind == Instruction::Kind::Load || insn.kind == Instruction::Kind::Atomic) {
      return read(state, insn);
    } else {
      step(state, insn);
      if (ended_) return;
    }
  }
  std::vector<Trace>& traces = out_.by_thread[number_];
  if (traces.size() >= limits_.traces) out_.refused = "too many paths and values";
  if (out_.refused.empty()) traces.push_back({std::move(state.events), std::move(state.registers)});
}

// Adds what the traces store; how many stores a chain can have; whether anything was new.
struct Learnt {
  std::size_t stores = 0;
  bool any = false;
};

Learnt learn(const Traces& traces, Values& values) {
  Learnt learnt;
  for (const std::vector<Trace>& thread : traces.by_thread) {
    std::size_t most = 0;
    for (const Trace& trace : thread) {
      std::size_t stores = 0;
      for (const Event& event : trace.events) {
        if (event.kind != Event::Kind::Write) continue;
        ++stores;
        learnt.any = values[static_cast<std::size_t>(event.location)].insert(event.value).second || learnt.any;
      }
      most = std::max(most, stores);
    }
    learnt.stores += most;
  }
  return learnt;
}

}  // namespace

Traces traces_of(const Program& program, const Limits& limits) {
  Values values;
  for (const Location& location : program.locations) values.push_back({location.initial});
  for (std::size_t round = 0;; ++round) {
    Traces traces;
    traces.by_thread.resize(program.threads.size());
    for (std::size_t thread = 0; thread < program.threads.size(); ++thread)
      Runner(program, thread, values, limits, traces).run();
    if (!traces.refused.empty()) return traces;
    const Learnt learnt = learn(traces, values);
    if (!learnt.any || round > learnt.stores) return traces;
  }
}

}  // namespace warpsim::litmus
