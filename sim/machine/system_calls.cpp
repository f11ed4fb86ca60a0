// See system_calls.h.
#include "sim/machine/system_calls.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "isa/kernels/windows.h"
#include "isa/table/runtime_functions.h"
#include "isa/text/number_text.h"
#include "sim/launch/launch_limits.h"
#include "sim/machine/machine_impl.h"
#include "sim/machine/traps.h"
#include "sim/memory/device_printf.h"

namespace warpsim {
namespace {

ByteReader reader_of(MemoryUnit& memory, Warp& warp, std::int32_t pc, unsigned lane) {
  return [&memory, &warp, pc, lane](std::uint64_t address) { return memory.peek(warp, pc, lane, address); };
}

constexpr std::uint64_t kHeapBytes = std::uint64_t{8} << 20;  // cudaLimitMallocHeapSize, by default
constexpr std::uint64_t kHeapAlignment = 16;
constexpr std::uint64_t kHeapHeader = 16;  // unverified: so many are taken beside each, so that small ones are few

Message bad_free(const DeviceMemory& heap, std::uint64_t address, unsigned lane) {
  if (const DeviceMemory::Freed* const gone = heap.freed(address); gone != nullptr && gone->address == address)
    return {MessageId::FreesAgain, {lane, gone->name}};
  if (const DeviceMemory::Allocation* const in = heap.find(address, 1))
    return {MessageId::FreesInside, {lane, hexadecimal_text(address), address - in->address, in->name}};
  return {MessageId::FreesUnknown, {lane, hexadecimal_text(address)}};
}

// So many bytes of the heap, whatever they are for; 0: there is no room.
std::uint64_t place_in_heap(DeviceMemory& heap, std::uint64_t size, std::string name) {
  const std::optional<std::uint64_t> address = heap.allocate(size, std::move(name), kHeapAlignment);
  const bool fits = address && *address + size <= kHeapEnd;
  if (address && !fits) static_cast<void>(heap.free(*address));
  return fits ? *address : 0;
}

std::uint64_t heap_address(LaunchState& state, std::int32_t pc, std::uint64_t size) {
  DeviceMemory& heap = state.memory.heap();
  const std::uint64_t used = heap.allocated_bytes() + heap.size() * kHeapHeader;
  if (size == 0 || size > kHeapBytes || used > kHeapBytes - size) return 0;
  return place_in_heap(heap, size,
                       "the " + std::to_string(size) + " bytes that malloc gave in line " + state.program.line(pc));
}

}  // namespace

void allocate(LaunchState& state, Warp& warp, const DecodedInsn& d, LaneMask active) {
  for_each_lane(active, [&](unsigned lane) {
    write_row(warp, d.dst, true, lane, heap_address(state, d.pc, read_row(warp, d.a, true, lane)));
  });
}

void release(LaunchState& state, MemoryUnit& memory, Warp& warp, const DecodedInsn& d, LaneMask active) {
  memory.forget_places();
  for_each_lane(active, [&](unsigned lane) {
    const std::uint64_t address = read_row(warp, d.a, true, lane);
    if (!state.result.ok || address == 0 || state.memory.heap().free(address)) return;
    trap(state, TrapKind::OutOfBounds, warp, d.pc, lane_bit(lane), bad_free(state.memory.heap(), address, lane),
         MessageId::TryFreeOnce);
  });
}

void print(LaunchState& state, MemoryUnit& memory, Warp& warp, const DecodedInsn& d, LaneMask active) {
  RunResult& result = state.result;
  for_each_lane(active, [&](unsigned lane) {
    const Printed printed = device_printf(read_row(warp, d.a, true, lane), read_row(warp, d.b, true, lane),
                                          reader_of(memory, warp, d.pc, lane));
    const std::size_t room = kMostPrinted - result.printed.size();
    result.printed_all = result.printed_all && printed.text.size() <= room;
    result.printed += printed.text.substr(0, room);
    if (d.dst != kNoOffset) write_row(warp, d.dst, false, lane, printed.arguments);
  });
}

void fail_assertion(LaunchState& state, MemoryUnit& memory, Warp& warp, const DecodedInsn& d, LaneMask active) {
  const unsigned lane = first_lane(active);
  const ByteReader read = reader_of(memory, warp, d.pc, lane);
  const auto text = [&](std::uint32_t row) { return device_string(read_row(warp, row, true, lane), read); };
  trap(state, TrapKind::Trap, warp, d.pc, active,
       {MessageId::AssertionFailed,
        {lanes_named(active), text(d.a), text(d.d), text(d.b), std::to_string(read_row(warp, d.c, false, lane))}},
       MessageId::HintProgramTrap);
}

// ---- the device runtime

namespace {

struct ErrorWords {
  RuntimeError error;
  std::string_view name, text;
};
constexpr std::array<ErrorWords, 8> kErrorWords = {{
    {RuntimeError::Success, "cudaSuccess", "no error"},
    {RuntimeError::InvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {RuntimeError::MemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {RuntimeError::InvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {RuntimeError::MaxDepthExceeded, "cudaErrorLaunchMaxDepthExceeded", "launch would exceed maximum depth of nesting"},
    {RuntimeError::PendingCountExceeded, "cudaErrorLaunchPendingCountExceeded",
     "launch would exceed the number of pending launches"},
    {RuntimeError::InvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {RuntimeError::InvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
}};

constexpr std::uint64_t kTailLaunch = 3, kFireAndForget = 4;  // cudaStreamTailLaunch and its kin

// One call of one lane: what it returns, or stores.
class RuntimeCaller {
 public:
  RuntimeCaller(LaunchState& state, MemoryUnit& memory, Warp& warp, const DecodedInsn& d, unsigned lane)
      : state_(state), memory_(memory), warp_(warp), d_(d), lane_(lane) {}
  std::uint64_t call(const RuntimeFunction& function);

 private:
  std::uint64_t argument(std::size_t k, std::uint32_t word = 0);
  Dim3 shape(std::size_t k);
  std::uint64_t fail(RuntimeError error);
  std::uint64_t parameter_buffer();
  std::uint64_t launch();
  std::uint64_t move(bool copies);
  std::uint64_t destroy_stream();
  std::uint64_t last_error(bool forgets);
  std::uint64_t error_words(bool name);
  std::uint64_t release_memory();
  bool is_stream(std::uint64_t handle) const {
    return handle <= kFireAndForget || state_.queue.handles.count(handle) != 0;
  }
  void add(DeviceWork work, std::uint64_t stream);

  LaunchState& state_;
  MemoryUnit& memory_;
  Warp& warp_;
  const DecodedInsn& d_;
  const unsigned lane_;
  const RuntimeFunction* function_ = nullptr;
};

// As they stand in the callee's frame, behind the caller's.
std::uint64_t RuntimeCaller::argument(std::size_t k, std::uint32_t word) {
  const std::uint32_t size = function_->argument_bytes[k] == 12 ? 4 : function_->argument_bytes[k];
  const std::uint64_t at = kLocalWindow + warp_.local.stacks[lane_].frame +
                           state_.program.routine_at(d_.pc)->next_frame() + argument_offset(*function_, k) + 4 * word;
  std::uint64_t value = 0;
  for (std::uint32_t byte = 0; byte < size; ++byte)
    value |= std::to_integer<std::uint64_t>(memory_.peek(warp_, d_.pc, lane_, at + byte).value_or(std::byte{0}))
             << 8 * byte;
  return value;
}

Dim3 RuntimeCaller::shape(std::size_t k) {
  const auto word = [&](std::uint32_t which) { return static_cast<std::uint32_t>(argument(k, which)); };
  return {word(0), word(1), word(2)};
}

std::uint64_t RuntimeCaller::fail(RuntimeError error) {
  if (error != RuntimeError::Success) state_.queue.errors[{warp_.block, warp_.index, lane_}] = error;
  return static_cast<std::uint64_t>(error);
}

std::uint64_t RuntimeCaller::parameter_buffer() {
  DeviceQueue& queue = state_.queue;
  const std::uint64_t at = argument(0) - kFunctionWindow;
  const std::vector<Routine>& all = state_.program.routines;
  const auto kernel = std::find_if(
      all.begin(), all.end(), [&](const Routine& one) { return one.is_kernel && at == one.function * kFunctionBytes; });
  DeviceWork work;
  work.grid = shape(1);
  work.block = shape(2);
  work.shared_bytes = static_cast<std::uint32_t>(argument(3));
  RuntimeError error = RuntimeError::Success;
  if (kernel == all.end()) error = RuntimeError::InvalidDeviceFunction;
  else if (check_grid(work.grid) || check_block(work.block) || work.shared_bytes > kMostSharedBytes ||
           kernel->parameter_bytes > kMostParameterBytes)
    error = RuntimeError::InvalidConfiguration;
  else if (queue.count() >= DeviceQueue::kMostWaiting) error = RuntimeError::PendingCountExceeded;
  if (error != RuntimeError::Success) return fail(error), 0;
  work.kernel = static_cast<std::int32_t>(kernel - all.begin());
  const std::uint64_t address = place_in_heap(state_.memory.heap(), std::max<std::uint64_t>(kernel->parameter_bytes, 1),
                                              "the parameters of a launch of " + kernel->name);
  if (address == 0) return fail(RuntimeError::MemoryAllocation), 0;
  queue.filled[address] = std::move(work);
  return address;
}

void RuntimeCaller::add(DeviceWork work, std::uint64_t stream) {
  const DeviceWork* const by = state_.queue.by;
  work.cycle = by != nullptr ? by->cycle : warp_.cycle;
  work.by_block = by != nullptr ? by->by_block : warp_.block;
  work.by_warp = by != nullptr ? by->by_warp : warp_.index;
  work.by_pc = by != nullptr ? by->by_pc : d_.pc;
  work.by_lane = by != nullptr ? by->by_lane : lane_;
  (stream == kTailLaunch ? state_.queue.tail : state_.queue.waiting).push_back(std::move(work));
}

std::uint64_t RuntimeCaller::launch() {
  DeviceQueue& queue = state_.queue;
  const std::uint64_t address = argument(0), stream = argument(1);
  const auto found = queue.filled.find(address);
  if (found == queue.filled.end()) return fail(RuntimeError::InvalidValue);
  DeviceWork work = std::move(found->second);
  queue.filled.erase(found);
  DeviceMemory& heap = state_.memory.heap();
  const std::uint32_t size = state_.program.routines[static_cast<std::size_t>(work.kernel)].parameter_bytes;
  const DeviceMemory::Allocation* const at = heap.find(address, size);
  if (at == nullptr) return fail(RuntimeError::InvalidValue);  // the kernel has freed it
  work.passed.assign(at->bytes + (address - at->address), at->bytes + (address - at->address) + size);
  static_cast<void>(heap.free(address));
  memory_.forget_places();
  if (!is_stream(stream)) return fail(RuntimeError::InvalidResourceHandle);
  work.depth = queue.depth + (stream == kTailLaunch ? 0 : 1);
  if (work.depth > DeviceQueue::kMostDepth) return fail(RuntimeError::MaxDepthExceeded);
  add(std::move(work), stream);
  return 0;
}

// A copy, or a fill with a byte, as part of a stream.
std::uint64_t RuntimeCaller::move(bool copies) {
  DeviceWork work;
  work.kind = copies ? DeviceWork::Kind::Copy : DeviceWork::Kind::Fill;
  work.to = argument(0);
  work.from = copies ? argument(1) : 0;
  work.value = static_cast<std::byte>(copies ? 0 : argument(1));
  work.bytes = argument(2);
  const std::uint64_t stream = argument(copies ? 4 : 3);
  if (!is_stream(stream)) return fail(RuntimeError::InvalidResourceHandle);
  if (state_.queue.count() >= DeviceQueue::kMostWaiting) return fail(RuntimeError::PendingCountExceeded);
  add(std::move(work), stream);
  return 0;
}

std::uint64_t RuntimeCaller::destroy_stream() {
  return fail(state_.queue.handles.erase(argument(0)) != 0 ? RuntimeError::Success
                                                           : RuntimeError::InvalidResourceHandle);
}

std::uint64_t RuntimeCaller::last_error(bool forgets) {
  auto& errors = state_.queue.errors;
  const auto found = errors.find({warp_.block, warp_.index, lane_});
  if (found == errors.end()) return 0;
  const std::uint64_t error = static_cast<std::uint64_t>(found->second);
  if (forgets) errors.erase(found);
  return error;
}

// The address of a text, each in memory once.
std::uint64_t RuntimeCaller::error_words(bool name) {
  const std::uint64_t error = argument(0);
  std::string_view words = "unrecognized error code";
  for (const ErrorWords& one : kErrorWords)
    if (static_cast<std::uint64_t>(one.error) == error) words = name ? one.name : one.text;
  DeviceMemory& heap = state_.memory.heap();
  const std::string title = "the text of error " + std::to_string(error) + (name ? ", its name" : "");
  std::uint64_t address = 0;
  heap.for_each([&](const DeviceMemory::Allocation& one) { address = one.name == title ? one.address : address; });
  if (address == 0) address = place_in_heap(heap, words.size() + 1, title);
  if (const DeviceMemory::Allocation* const at = heap.find(address, words.size()))
    std::transform(words.begin(), words.end(), at->bytes, [](char c) { return static_cast<std::byte>(c); });
  return address;
}

std::uint64_t RuntimeCaller::release_memory() {
  memory_.forget_places();
  const std::uint64_t address = argument(0);
  return fail(address == 0 || state_.memory.heap().free(address) ? RuntimeError::Success : RuntimeError::InvalidValue);
}

std::uint64_t RuntimeCaller::call(const RuntimeFunction& function) {
  function_ = &function;
  switch (function.call) {
    case RuntimeCall::ParameterBuffer: return parameter_buffer();
    case RuntimeCall::Launch: return launch();
    case RuntimeCall::CreateStream: return *state_.queue.handles.insert(state_.queue.next_handle++).first;
    case RuntimeCall::DestroyStream: return destroy_stream();
    case RuntimeCall::CreateEvent: return state_.queue.next_handle++;
    case RuntimeCall::LastError: return last_error(true);
    case RuntimeCall::PeekError: return last_error(false);
    case RuntimeCall::ErrorText: return error_words(false);
    case RuntimeCall::ErrorName: return error_words(true);
    case RuntimeCall::DeviceCount: return 1;
    case RuntimeCall::Allocate: {
      const std::uint64_t address = heap_address(state_, d_.pc, argument(1));
      if (address == 0) fail(RuntimeError::MemoryAllocation);
      return address;
    }
    case RuntimeCall::Release: return release_memory();
    case RuntimeCall::Copy: return move(true);
    case RuntimeCall::Fill: return move(false);
    case RuntimeCall::UseEvent:
    case RuntimeCall::SetConditional:
    case RuntimeCall::Device: break;
  }
  return 0;
}

}  // namespace

void call_runtime(LaunchState& state, MemoryUnit& memory, Warp& warp, const DecodedInsn& d, LaneMask active) {
  for_each_lane(active, [&](unsigned lane) {
    const RuntimeFunction& function = kRuntimeFunctions[read_row(warp, d.a, false, lane)];
    write_row(warp, d.dst, true, lane, RuntimeCaller(state, memory, warp, d, lane).call(function));
  });
}

// ---- what kernels launch

// The next one last; behind all others what is launched in the tail.
std::vector<DeviceWork> Machine::Impl::take_work() {
  std::vector<DeviceWork> all = std::move(state_.queue.waiting);
  all.insert(all.end(), std::make_move_iterator(state_.queue.tail.begin()),
             std::make_move_iterator(state_.queue.tail.end()));
  std::reverse(all.begin(), all.end());
  state_.queue = {};
  return all;
}

// The parameters as the kernel has them: of one that is launched again as the host's are, by number.
Binding Machine::Impl::binding_of(const DeviceWork& work) {
  Binding made = state_.binding;
  made.kernel = work.kernel;
  made.heap = &state_.memory.heap();
  if (work.kernel + 1 != static_cast<std::int32_t>(state_.program.routines.size())) {
    made.passed = work.passed;
    return made;
  }
  made.passed.clear();
  made.values.resize(state_.program.params.size());
  for (std::size_t k = 0; k < state_.program.params.size(); ++k) {
    const Param& p = state_.program.params[k];
    if (p.is_variable) continue;
    const auto from = work.passed.begin() + static_cast<std::ptrdiff_t>(p.offset_bytes);
    made.values[k].assign(from, from + p.size_bytes());
    if (p.value_bytes == 0) made.params[k] = load_bits(made.values[k].data(), p.size_bytes());
  }
  return made;
}

void Machine::Impl::fail_launched(const DeviceWork& work, Trap trap) {
  state_.result.ok = false;
  Trap& made = state_.result.trap = std::move(trap);
  made.message = {MessageId::InLaunchedGrid,
                  {state_.program.routines[static_cast<std::size_t>(work.kernel)].name, made.block, made.warp,
                   std::move(made.message)}};
  made.cycle = work.cycle;
  made.block = work.by_block;
  made.warp = work.by_warp;
  made.lanes = lane_bit(work.by_lane);
  made.places.clear();
}

// What it asks for in its turn, the next one last.
std::vector<DeviceWork> Machine::Impl::run_grid(const DeviceWork& work, std::span<EventSink* const> sinks) {
  LaunchConfig config = state_.config;
  config.grid = work.grid;
  config.block = work.block;
  config.dynamic_shared_bytes = work.shared_bytes;
  config.cooperative = false;
  RunResult& result = state_.result;
  if (const std::uint64_t used = result.cycles + result.launched_instructions; config.max_cycles != kNoCycleLimit)
    config.max_cycles -= std::min(used, config.max_cycles - 1);
  auto created = create_on(state_.program, config, binding_of(work), state_.memory.device());
  if (const LaunchError* const error = std::get_if<LaunchError>(&created)) {
    Trap trap{TrapKind::Trap, finding_of(TrapKind::Trap), 0, 0, 0, work.by_pc, 0, error->message, error->hint, 0, {}};
    fail_launched(work, std::move(trap));
    return {};
  }
  Machine& machine = std::get<Machine>(created);
  machine.impl_->state_.queue.depth = work.depth;
  machine.impl_->state_.queue.by = &work;
  std::vector<std::unique_ptr<EventSink>> watchers;
  std::vector<EventSink*> watching, asked;
  for (EventSink* const sink : sinks)
    if (std::unique_ptr<EventSink> watcher = sink->watcher_of_launched()) {
      watching.push_back(watcher.get());
      watchers.push_back(std::move(watcher));
      asked.push_back(sink);
    }
  RunResult ran = watching.empty() ? machine.run() : machine.run(watching);
  for (std::size_t k = 0; k < asked.size(); ++k) asked[k]->on_launched(*watching[k], work);
  ++result.launched_grids;
  result.launched_instructions += ran.instructions;
  const std::size_t room = kMostPrinted - result.printed.size();
  result.printed_all = result.printed_all && ran.printed_all && ran.printed.size() <= room;
  result.printed += ran.printed.substr(0, room);
  if (!ran.ok) fail_launched(work, std::move(ran.trap));
  return machine.impl_->take_work();
}

// A copy or a fill, all of it or nothing.
void Machine::Impl::move_bytes(const DeviceWork& work) {
  const auto bytes_at = [&](std::uint64_t address) -> std::byte* {
    const DeviceMemory::Allocation* const at = state_.memory.part_with(address).find(address, work.bytes);
    return at == nullptr ? nullptr : at->bytes + (address - at->address);
  };
  const bool copies = work.kind == DeviceWork::Kind::Copy;
  std::byte* const to = bytes_at(work.to);
  const std::byte* const from = copies ? bytes_at(work.from) : to;
  if (work.bytes == 0) return;
  if (to != nullptr && from != nullptr) {
    if (copies) std::memmove(to, from, work.bytes);
    else std::fill_n(to, work.bytes, work.value);
    return;
  }
  state_.result.ok = false;
  state_.result.trap =
      Trap{TrapKind::OutOfBounds,
           finding_of(TrapKind::OutOfBounds),
           work.cycle,
           work.by_block,
           work.by_warp,
           work.by_pc,
           lane_bit(work.by_lane),
           {MessageId::MovesOutside, {work.bytes, hexadecimal_text(to == nullptr ? work.to : work.from)}},
           MessageId::TryMoveInside,
           0,
           {}};
}

void Machine::Impl::run_launched(std::span<EventSink* const> sinks) {
  if (!state_.result.ok || state_.queue.by != nullptr) return;  // of a grid that was launched, who launched it does
  std::vector<DeviceWork> todo = take_work();
  while (!todo.empty() && state_.result.ok) {
    const DeviceWork work = std::move(todo.back());
    todo.pop_back();
    if (work.kind != DeviceWork::Kind::Grid) {
      move_bytes(work);
      continue;
    }
    std::vector<DeviceWork> more = run_grid(work, sinks);
    todo.insert(todo.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
}

}  // namespace warpsim
