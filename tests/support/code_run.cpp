// See code_run.h.
#include "tests/support/code_run.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <variant>
#include <vector>

#include "isa/text/number_text.h"
#include "sim/machine/machine.h"

namespace warpsim::testing {
namespace {

constexpr std::uint32_t kMostSlots = 256;
constexpr std::uint64_t kMostInstructions = 50'000'000;

// Memory with the same contents at the same addresses.
std::unique_ptr<DeviceMemory> copied(const DeviceMemory& from) {
  std::unique_ptr<DeviceMemory> to;
  from.for_each([&](const DeviceMemory::Allocation& one) {
    if (!to) to = std::make_unique<DeviceMemory>(one.address);
    const bool is_constant = space_of_address(one.address) == AddressSpace::Constant;
    const auto address =
        is_constant ? to->allocate_constant(one.size_bytes, one.name) : to->allocate(one.size_bytes, one.name);
    if (!address || *address != one.address) return;
    std::memcpy(to->find(*address, one.size_bytes)->bytes, one.bytes, one.size_bytes);
  });
  return to ? std::move(to) : std::make_unique<DeviceMemory>();
}

std::string first_difference(const DeviceMemory& expected, const DeviceMemory& found,
                             const std::set<std::string>& ignored) {
  std::string text;
  expected.for_each([&](const DeviceMemory::Allocation& one) {
    const DeviceMemory::Allocation* const other = found.find(one.address, one.size_bytes);
    if (!text.empty() || ignored.count(one.name) != 0) return;
    if (other == nullptr) return void(text = one.name + " is not at its address");
    for (std::uint64_t k = 0; k < one.size_bytes; k += 4) {
      std::uint32_t wanted = 0, got = 0;
      const std::size_t size = std::min<std::uint64_t>(4, one.size_bytes - k);
      std::memcpy(&wanted, one.bytes + k, size);
      std::memcpy(&got, other->bytes + k, size);
      if (wanted == got) continue;
      text = one.name + " at byte " + std::to_string(k) + " is " + hexadecimal_text(got) + ", and should be " +
             hexadecimal_text(wanted);
      return;
    }
  });
  return text;
}

}  // namespace

std::string run_code(const sass::Cubin& cubin, std::string_view name, const sass::CodeLaunch& launch,
                     std::uint64_t& instructions) {
  const auto blocks = static_cast<std::uint32_t>(launch.grid.count());
  const std::uint32_t slots = std::min(blocks, kMostSlots);
  const auto entry =
      std::find_if(cubin.sections.begin(), cubin.sections.end(),
                   [name](const sass::CodeSection& section) { return section.is_entry && section.name == name; });
  if (entry == cubin.sections.end()) return "it has no kernel";
  auto created = sass::CodeMachine::create(cubin, *entry, launch, slots);
  if (const auto* const why = std::get_if<sass::CodeRefusal>(&created)) return why->message;
  auto& machine = std::get<sass::CodeMachine>(created);
  std::uint32_t begun = 0;
  std::vector<bool> is_free(slots, true);
  sass::CodeStep step;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      if (is_free[slot] && begun < blocks) machine.begin_block(slot, begun++), is_free[slot] = false;
      if (is_free[slot]) continue;
      bool lives = false;
      for (std::uint32_t w = 0; w < machine.warps_per_block(); ++w) {
        const std::uint32_t warp = slot * machine.warps_per_block() + w;
        const std::int32_t at = machine.next(warp);
        lives = lives || at != sass::CodeMachine::kEnded;
        if (at < 0) continue;
        if (!machine.step(warp, instructions, step)) {
          const sass::CodeRefusal& why = machine.refusal();
          return why.message + " (at " + hexadecimal_text(static_cast<std::uint64_t>(why.at) * sass::kWordBytes) +
                 ", " + sass::text_of(machine.code()[static_cast<std::size_t>(why.at)]) + ")";
        }
        goes_on = true;
        if (++instructions > kMostInstructions) return "it does not end";
      }
      if (!lives) is_free[slot] = true, goes_on = true;
    }
    if (begun == blocks && std::find(is_free.begin(), is_free.end(), false) == is_free.end()) return "";
  }
  return "its warps wait for ever";
}

CodeComparison compare_code(const Program& program, const LaunchConfig& config, const Arguments& arguments,
                            const sass::Cubin& cubin, std::string_view entry, std::uint32_t shared_bytes,
                            const std::set<std::string>& ignored, const std::vector<std::uint64_t>& behind) {
  CodeComparison result;
  result.is_refused = true;
  auto created = Machine::create(program, config, arguments);
  if (const LaunchError* const error = std::get_if<LaunchError>(&created))
    return result.difference = error->message, result;
  Machine& machine = std::get<Machine>(created);
  const std::unique_ptr<DeviceMemory> memory = copied(machine.memory());
  Binding binding;
  for (std::size_t k = 0; k < program.params.size(); ++k) {
    const Param& param = program.params[k];
    const auto given = arguments.scalars.find(param.name);
    binding.params.push_back(param.is_buffer()                  ? machine.buffer_address(static_cast<std::int32_t>(k))
                             : given == arguments.scalars.end() ? 0
                                                                : given->second);
  }
  if (!machine.run().ok) return result.difference = "the program's own run traps", result;
  sass::CodeLaunch launch;
  launch.grid = config.grid;
  launch.block = machine.config().block;
  launch.shared_bytes = shared_bytes + config.dynamic_shared_bytes;
  launch.params = bytes_passed(program, binding);
  for (const std::uint64_t value : behind) {
    launch.params.resize((launch.params.size() + 7) / 8 * 8 + 8);
    std::memcpy(launch.params.data() + launch.params.size() - 8, &value, sizeof value);
  }
  launch.memory = memory.get();
  for (std::size_t k = 0; k < program.params.size(); ++k)
    if (program.params[k].is_variable)
      launch.variables[program.params[k].name] = machine.buffer_address(static_cast<std::int32_t>(k));
  result.difference = run_code(cubin, entry, launch, result.instructions);
  if (!result.difference.empty()) return result;
  result.is_refused = false;
  result.difference = first_difference(machine.memory(), *memory, ignored);
  return result;
}

}  // namespace warpsim::testing
