#include "tools/cuda/rows/row_reference.h"

#include <algorithm>
#include <utility>

#include "tools/cuda/rows/row_machine.h"

namespace warpsim::rows {
namespace {

class ReferenceKernel : public WitnessKernel {
 public:
  explicit ReferenceKernel(RowMachine machine) : machine_(std::move(machine)) {}
  std::string run(unsigned /*thread*/, const Columns& operands, std::size_t count, Columns& results) override {
    for (std::size_t at = 0; at < count; at += RowMachine::kRunTuples) {
      const std::size_t run = std::min(RowMachine::kRunTuples, count - at);
      if (const std::string trap = machine_.run_reference(operands, at, run, results); !trap.empty()) return trap;
    }
    return "";
  }

 private:
  RowMachine machine_;
};

class Reference : public Witness {
 public:
  std::string description() const override { return "the second interpreter"; }
  std::unique_ptr<WitnessKernel> load(const Job& job, std::string& why) override {
    std::optional<RowMachine> machine = RowMachine::create(job.instruction, job.constant, why);
    return machine ? std::make_unique<ReferenceKernel>(std::move(*machine)) : nullptr;
  }
};

}  // namespace

std::unique_ptr<Witness> reference_witness() { return std::make_unique<Reference>(); }

}  // namespace warpsim::rows
