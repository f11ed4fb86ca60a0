// See code_timer.h.
#include "host/device/code_timer.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "isa/sass/instruction.h"
#include "isa/text/number_text.h"

namespace warpsim::host {
namespace {

class StallCounter : public sass::CodeSink {
 public:
  explicit StallCounter(CodeTime& time) : time_(time) {}
  void on_issue(const sass::CodeIssue& issue) override {
    for (const Stall& one : issue.stalls) time_.stalls[static_cast<std::size_t>(one.reason)] += one.cycles;
  }

 private:
  CodeTime& time_;
};

std::string in_words(const sass::CodeSection& section, const sass::CodeRefusal& refusal) {
  std::string text = (refusal.is_fault ? "it stops: " : "") + refusal.message;
  if (const auto insn = sass::instruction_of(section, refusal))
    text += ", at " + hex_digits(insn->address, 4) + ": " + sass::text_of(*insn);
  return text;
}

}  // namespace

CodeTimer::CodeTimer(DeviceMemory& memory, const KernelModule::Kernel& kernel, const LaunchConfig& config,
                     std::span<const void* const> params)
    : memory_(memory), kernel_(kernel), config_(config), code_(kernel.module().code_of(kernel)) {
  if (code_.section == nullptr) why_none_ = kernel.module().why_no_code();
  else if (config.cooperative) why_none_ = "the blocks of a cooperative launch wait for each other";
  else if (memory.allocated_bytes() > kMostCopied)
    why_none_ =
        "it runs on a copy of the memory, and more than " + std::to_string(kMostCopied >> 20) + " MiB are allocated";
  if (!why_none_.empty()) return;
  launch_ = {config.grid, config.block, config.dynamic_shared_bytes, {}, nullptr};
  for (std::size_t k = 0; k < params.size(); ++k) {
    const std::size_t at = kernel.parameter_offset(k), size = kernel.parameter_bytes(k);
    launch_.params.resize(std::max(launch_.params.size(), at + size));
    std::memcpy(launch_.params.data() + at, params[k], size);
  }
  memory.for_each([this](const DeviceMemory::Allocation& one) {
    if (!one.read_only) copies_[one.address].assign(one.bytes, one.bytes + one.size_bytes);
  });
}

// The first allocation that has other values behind it; "": none has.
std::string CodeTimer::difference() const {
  std::string name;
  memory_.for_each([&](const DeviceMemory::Allocation& one) {
    const auto copy = copies_.find(one.address);
    if (!name.empty() || copy == copies_.end() || copy->second.size() != one.size_bytes) return;
    if (std::memcmp(copy->second.data(), one.bytes, copy->second.size()) != 0) name = one.name;
  });
  return name;
}

CodeTime CodeTimer::time() {
  CodeTime time;
  time.why_none = why_none_;
  if (!why_none_.empty()) return time;
  const auto place = [this](const std::string& variable) {
    if (variable.empty()) return;
    if (const auto symbol = kernel_.module().find_symbol(variable)) launch_.variables[variable] = symbol->address;
  };
  for (const sass::CodeBank& bank : code_.cubin->banks)
    for (const sass::CodeReference& one : bank.references) place(one.variable);
  for (const sass::CodeAddress& one : code_.section->addresses) place(one.variable);
  for (const sass::CodeConstant& one : code_.cubin->constants) place(one.name);
  launch_.memory = &memory_;
  launch_.copies = &copies_;
  // A copy to the device has left in L2 what fits there.
  launch_.is_cold = memory_.allocated_bytes() > config_.timing->global.l2.bytes;
  time.needs = sass::needs_of_block(*code_.section, launch_);
  StallCounter counter(time);
  sass::CodeSink* const sinks[] = {&counter};
  const sass::CodeRun run =
      sass::run_code(*code_.cubin, *code_.section, launch_, *config_.timing, sinks,
                     config_.max_cycles == kNoCycleLimit ? sass::kMostCodeCycles : config_.max_cycles, config_.stop);
  time.cycles = run.cycles;
  time.instructions = run.instructions;
  if (run.refusal) time.why_none = in_words(*code_.section, *run.refusal);
  else if (const std::string name = difference(); !name.empty())
    time.why_none = "it leaves other values in " + name + " than the PTX";
  return time;
}

}  // namespace warpsim::host
