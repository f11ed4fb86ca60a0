// See constant_banks.h.
#include "sim/sass/constant_banks.h"

#include <algorithm>

#include "isa/kernels/windows.h"

namespace warpsim::sass {
namespace {

constexpr std::size_t kFirstParam = 0x210;

std::vector<std::byte> launch_bank(const CodeLaunch& launch) {
  std::vector<std::byte> bank(kFirstParam + launch.params.size() + 8);
  const auto put = [&bank](std::size_t at, std::uint64_t value, std::size_t size) {
    std::memcpy(bank.data() + at, &value, size);
  };
  const std::uint32_t sizes[] = {launch.block.x, launch.block.y, launch.block.z,
                                 launch.grid.x,  launch.grid.y,  launch.grid.z};
  for (std::size_t k = 0; k < std::size(sizes); ++k) put(4 * k, sizes[k], 4);
  put(0x20, kLocalWindow, 8);
  put(0x28, kStackTop, 4);
  std::copy(launch.params.begin(), launch.params.end(), bank.begin() + kFirstParam);
  return bank;
}

void refer(ConstantBank& bank, const CodeReference& reference, const CodeLaunch& launch) {
  const auto found = launch.variables.find(reference.variable);
  const std::uint64_t at = reference.at;
  if (at >= bank.bytes.size() || bank.bytes.size() - at < 8) return;
  if (found == launch.variables.end()) {
    bank.unknown.insert({at / 4 * 4, at / 4 * 4 + 4});
    return;
  }
  const std::uint64_t address = found->second + static_cast<std::uint64_t>(reference.more);
  std::memcpy(bank.bytes.data() + at, &address, sizeof address);
}

// What the variable holds now.
void copy_constant(ConstantBank& bank, const CodeConstant& constant, const CodeLaunch& launch) {
  const auto found = launch.variables.find(constant.name);
  if (found == launch.variables.end() || launch.memory == nullptr) return;
  const DeviceMemory::Allocation* const held = launch.memory->find(found->second, constant.size);
  if (held == nullptr || constant.at > bank.bytes.size() || constant.size > bank.bytes.size() - constant.at) return;
  std::memcpy(bank.bytes.data() + constant.at, held->bytes + (found->second - held->address), constant.size);
}

}  // namespace

void fill_banks(CodeMachine::Impl& machine, const Cubin& cubin, const CodeSection& section) {
  machine.banks[0].bytes = launch_bank(machine.launch);
  for (const CodeBank& one : cubin.banks) {
    if (one.number == 0 || (!one.kernel.empty() && one.kernel != section.name)) continue;
    ConstantBank& bank = machine.banks[one.number];
    bank.bytes = one.bytes;
    for (const CodeReference& reference : one.references) refer(bank, reference, machine.launch);
  }
  for (const CodeConstant& constant : cubin.constants) {
    const auto bank = machine.banks.find(constant.bank);
    if (bank != machine.banks.end()) copy_constant(bank->second, constant, machine.launch);
  }
}

}  // namespace warpsim::sass
