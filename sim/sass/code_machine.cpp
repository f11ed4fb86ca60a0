// See code_machine.h.
#include "sim/sass/code_machine.h"

#include <algorithm>
#include <utility>

#include "isa/sass/decoder.h"
#include "isa/text/number_text.h"
#include "sim/sass/code_builder.h"
#include "sim/sass/constant_banks.h"
#include "sim/sass/lane_code.h"
#include "sim/sass/warp_groups.h"

namespace warpsim::sass {
namespace {

constexpr std::uint32_t kMostIssues = 4096;  // of a group, before another one gets its turn
constexpr unsigned kTarget = 90;
constexpr std::uint32_t kSharedUnit = 128;  // dynamic shared memory begins at a multiple of no more
void make_registers(CodeMachine::Impl& machine, std::uint32_t slots) {
  const Layout& layout = machine.layout;
  const std::size_t bytes = layout.constants() + machine.constants.size() * kRowBytes, alignment = 64;
  machine.registers.resize(bytes * slots * machine.warps_per_block + alignment);
  machine.warps.resize(std::size_t{slots} * machine.warps_per_block);
  auto* first = machine.registers.data();
  first += (alignment - reinterpret_cast<std::uintptr_t>(first) % alignment) % alignment;
  const Dim3 block = machine.launch.block;
  for (std::size_t k = 0; k < machine.warps.size(); ++k) {
    Warp& warp = machine.warps[k];
    warp.registers = first + k * bytes;
    warp.slot = static_cast<std::uint32_t>(k / machine.warps_per_block);
    warp.index = static_cast<std::uint32_t>(k % machine.warps_per_block);
    for (unsigned l = 0; l < kLanes; ++l) {
      const std::uint64_t thread = std::uint64_t{warp.index} * kLanes + l;
      if (thread < block.count()) warp.existing |= Lanes{1} << l;
      Row* const of_thread = row<std::uint32_t>(warp.registers, layout.thread());
      of_thread[l] = static_cast<std::uint32_t>(thread % block.x);
      of_thread[kLanes + l] = static_cast<std::uint32_t>(thread / block.x % block.y);
      of_thread[2 * kLanes + l] = static_cast<std::uint32_t>(thread / block.x / block.y);
    }
    for (std::size_t c = 0; c < machine.constants.size(); ++c) {
      Row* const constant =
          row<std::uint32_t>(warp.registers, layout.constants() + static_cast<std::uint32_t>(c) * kRowBytes);
      std::fill_n(constant, kLanes, machine.constants[c]);
    }
  }
}

// The code with the addresses of variables; it has an error where one is not known.
std::variant<std::vector<Instruction>, CodeRefusal> addressed(const CodeSection& section, const CodeLaunch& launch) {
  std::vector<Instruction> code = decode(section);
  for (const CodeAddress& one : section.addresses) {
    const std::size_t at = one.at / kWordBytes;
    if (at >= section.words.size()) continue;
    const auto found = launch.variables.find(one.variable);
    if (found == launch.variables.end())
      return CodeRefusal{"it is not known where the variable " + one.variable + " is", static_cast<std::int32_t>(at)};
    const std::uint64_t address = found->second + static_cast<std::uint64_t>(one.more);
    const std::uint64_t half = one.is_upper ? address >> CodeAddress::kBits : address & 0xffff'ffff;
    Word word = section.words[at].word & ~Word::ones(CodeAddress::kFirstBit, CodeAddress::kBits);
    word.low |= half << CodeAddress::kFirstBit;
    code[at] = decode(word, one.at);
  }
  return code;
}

std::optional<CodeRefusal> refused(const Cubin& cubin, const CodeSection& section, const CodeLaunch& launch,
                                   std::uint32_t slots) {
  constexpr std::uint64_t kMostThreads = 1024;
  const auto refusal = [](std::string text) { return CodeRefusal{std::move(text)}; };
  if (cubin.target != kTarget)
    return refusal("the code is for sm_" + std::to_string(cubin.target) + "; that of sm_" + std::to_string(kTarget) +
                   " can be executed");
  if (section.words.empty()) return refusal(section.name + " has no code");
  if (launch.block.count() == 0 || launch.block.count() > kMostThreads || launch.grid.count() == 0)
    return refusal("no block or grid has this size");
  if (slots == 0) return refusal("there is no place for a block");
  return std::nullopt;
}

}  // namespace

void Exec::refuse(const std::string& why) {
  failed = true;
  machine.refusal = {why, step.at, false};
}
void Exec::fault(const std::string& why) {
  failed = true;
  machine.refusal = {why, step.at, true};
}

std::optional<Instruction> instruction_of(const CodeSection& section, const CodeRefusal& refusal) {
  const auto at = static_cast<std::size_t>(refusal.at);
  if (refusal.at < 0 || at >= section.words.size()) return std::nullopt;
  return decode(section.words[at].word, at * kWordBytes);
}

std::variant<CodeMachine, CodeRefusal> CodeMachine::create(const Cubin& cubin, const CodeSection& section,
                                                           const CodeLaunch& launch, std::uint32_t slots) {
  if (auto why = refused(cubin, section, launch, slots)) return std::move(*why);
  auto impl = std::make_unique<Impl>();
  impl->launch = launch;
  impl->lanes = &lane_code();
  impl->warps_per_block = static_cast<std::uint32_t>((launch.block.count() + kLanes - 1) / kLanes);
  const std::uint32_t declared = std::max(section.shared_bytes, kFirstShared);
  impl->shared_bytes = (declared + kSharedUnit - 1) / kSharedUnit * kSharedUnit + launch.shared_bytes;
  auto code = addressed(section, launch);
  if (CodeRefusal* const why = std::get_if<CodeRefusal>(&code)) return std::move(*why);
  impl->code = std::get<std::vector<Instruction>>(std::move(code));
  fill_banks(*impl, cubin, section);
  build_code(*impl);
  make_registers(*impl, slots);
  impl->blocks.resize(slots);
  for (Block& block : impl->blocks)
    for (BlockBarrier& barrier : block.barriers) barrier.arrived.resize(impl->warps_per_block);
  return CodeMachine(std::move(impl));
}

CodeMachine::CodeMachine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CodeMachine::CodeMachine(CodeMachine&&) noexcept = default;
CodeMachine& CodeMachine::operator=(CodeMachine&&) noexcept = default;
CodeMachine::~CodeMachine() = default;

std::span<const Instruction> CodeMachine::code() const { return impl_->code; }
std::uint32_t CodeMachine::warps_per_block() const { return impl_->warps_per_block; }
std::span<const std::uint32_t> CodeMachine::released() const { return impl_->released; }
const CodeRefusal& CodeMachine::refusal() const { return impl_->refusal; }

std::span<const std::byte> CodeMachine::registers(std::uint32_t warp) const {
  return {impl_->warps[warp].registers, impl_->layout.zero()};
}
std::span<const std::byte> CodeMachine::uniform_registers(std::uint32_t warp) const {
  const Layout& layout = impl_->layout;
  return {impl_->warps[warp].registers + layout.uniform(), layout.converge() - layout.uniform()};
}
std::span<const Lanes> CodeMachine::predicates(std::uint32_t warp) const {
  return std::span<const Lanes>(impl_->warps[warp].predicates).first(kPredicates);
}

void CodeMachine::begin_block(std::uint32_t slot, std::uint32_t number) {
  Impl& m = *impl_;
  Block& block = m.blocks[slot];
  const Dim3 grid = m.launch.grid;
  block.number = number;
  block.place = {number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y};
  block.living = m.warps_per_block;
  block.shared.assign(m.shared_bytes, std::byte{0});
  for_lanes(std::exchange(block.used, 0), [&block](unsigned at) {
    BlockBarrier& barrier = block.barriers[at];
    barrier.warps = barrier.expected = barrier.trues = barrier.threads = 0;
    std::fill(barrier.arrived.begin(), barrier.arrived.end(), 0);
  });
  for (std::uint32_t w = 0; w < m.warps_per_block; ++w) {
    Warp& warp = m.warps[slot * m.warps_per_block + w];
    std::memset(warp.registers, 0, m.layout.zero());
    std::memset(warp.registers + m.layout.uniform(), 0, m.layout.thread() - m.layout.uniform());
    warp.predicates = {};
    warp.predicates[kTrue] = warp.predicates[kUniformPredicate + kTrue] = kAllLanes;
    warp.alive = warp.existing;
    warp.running = {warp.existing, 0};
    warp.others.clear();
    warp.local.clear();
    warp.behind = 0;
    warp.issued = 0;
  }
}

std::int32_t CodeMachine::next(std::uint32_t number) const {
  const Warp& warp = impl_->warps[number];
  if (warp.running.mask != 0) {
    const auto at = static_cast<std::size_t>(warp.running.at);
    if (at < impl_->ops.size()) __builtin_prefetch(&impl_->ops[at]);
    if (warp.behind != 0 && !passes_barriers(warp.running.at)) return kWaits;
    return warp.running.at;
  }
  return warp.alive == 0 ? kEnded : kWaits;
}

bool CodeMachine::passes_barriers(std::int32_t at) const {
  if (static_cast<std::size_t>(at) >= impl_->ops.size()) return false;
  const CodeOp& op = impl_->ops[static_cast<std::size_t>(at)];
  return op.is_alone || op.reads_clock;
}

bool CodeMachine::is_behind_barrier(std::uint32_t number) const { return impl_->warps[number].behind != 0; }

std::span<const std::uint32_t> CodeMachine::alone() const { return impl_->alone; }
// The last one before another group gets its turn is a step.
std::uint32_t CodeMachine::may_leave_out(std::uint32_t number) const {
  return kMostIssues - 1 - impl_->warps[number].issued;
}

void CodeMachine::run_to(std::uint32_t number, std::int32_t at) {
  Warp& warp = impl_->warps[number];
  const std::int32_t from = warp.running.at;
  if (from == at) return;
  Exec x{*impl_, warp, impl_->left_out, 0, warp.running.mask, 0};
  const CodeOp* const end = &impl_->ops[static_cast<std::size_t>(at)];
  for (const CodeOp* op = &impl_->ops[static_cast<std::size_t>(from)]; op != end; ++op) {
    const Lanes active = x.group & x.read(op->guard);
    if (active == 0) continue;
    x.mask = op->is_uniform ? kAllLanes : active;
    op->run(x, *op);
  }
  warp.running.at = at;
  warp.issued += static_cast<std::uint32_t>(at - from);
}

bool CodeMachine::step(std::uint32_t number, std::uint64_t cycle, CodeStep& step) {
  Impl& m = *impl_;
  Warp& warp = m.warps[number];
  Exec x{m, warp, step, cycle, warp.running.mask, 0};
  m.released.clear();
  step.at = warp.running.at;
  step.group = step.active = x.group;
  step.gone = 0;
  step.way = CodeStep::Way::On;
  step.side = CodeStep::Side::Same;
  step.space = CodeStep::Space::None;
  step.stores = step.is_atomic = step.in_a_row = step.is_conflict_free = step.arrived = false;
  step.bytes = 0;
  step.values = 1;
  if (step.at < 0 || static_cast<std::size_t>(step.at) >= m.ops.size()) {
    x.fault("the warp runs behind the end of its code");
    return false;
  }
  const CodeOp& op = m.ops[static_cast<std::size_t>(step.at)];
  const Lanes guard = x.read(op.guard);
  step.active = x.group & guard;
  x.mask = op.is_uniform && step.active != 0 ? kAllLanes : step.active;
  if (op.is_control) {
    x.mask = step.active;
    op.run(x, op);
  } else {
    if (x.mask != 0) op.run(x, op);
    else step.values = 0;
    ++warp.running.at;
  }
  if (x.failed) return false;
  if (++warp.issued >= kMostIssues) yield(warp);
  if (warp.running.mask == 0) choose_group(warp);
  if (is_stuck(warp)) {
    x.fault("the lanes of the warp wait for each other");
    return false;
  }
  const Lanes now = warp.running.mask;
  if (now != 0 && (now & x.group) == 0) step.side = CodeStep::Side::Other;
  else if ((now & ~x.group) != 0) step.side = CodeStep::Side::Joined;
  return true;
}

}  // namespace warpsim::sass
