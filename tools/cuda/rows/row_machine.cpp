#include "tools/cuda/rows/row_machine.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "isa/assembly/assembler.h"
#include "sim/machine/machine.h"
#include "tools/cuda/rows/row_kernels.h"
#include "tools/fuzz/reference_interpreter.h"

namespace warpsim::rows {
namespace {

constexpr std::size_t kWordsToActOn = 4;

LaunchConfig shape(std::size_t count) {
  LaunchConfig config;
  config.grid = {static_cast<std::uint32_t>(count / kBlockThreads), 1, 1};
  config.block = {kBlockThreads, 1, 1};
  return config;
}

struct alignas(64) Line {
  std::byte bytes[64];
};

std::uint64_t mask_of(Type t) { return bits(t) >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits(t)) - 1; }

// A warp's worth of a column ↔ a register of the warp.
void to_row(Type t, const std::uint64_t* from, std::byte* block, std::uint32_t offset) {
  if (t == Type::Pred) {
    LaneMask lanes = 0;
    for (unsigned l = 0; l < kLanes; ++l) lanes |= from[l] << l;
    word(block, offset) = lanes;
  } else if (bits(t) == 64) {
    std::copy_n(from, kLanes, row<std::uint64_t>(block, offset));
  } else {
    Aliased<std::uint32_t>* to = row<std::uint32_t>(block, offset);
    for (unsigned l = 0; l < kLanes; ++l) to[l] = static_cast<std::uint32_t>(from[l]);
  }
}
void from_row(Type t, const std::byte* block, std::uint32_t offset, std::uint64_t* to) {
  if (t == Type::Pred) {
    for (unsigned l = 0; l < kLanes; ++l) to[l] = word(block, offset) >> l & 1;
  } else if (bits(t) == 64) {
    std::copy_n(row<std::uint64_t>(block, offset), kLanes, to);
  } else {
    for (unsigned l = 0; l < kLanes; ++l) to[l] = row<std::uint32_t>(block, offset)[l] & mask_of(t);
  }
}

}  // namespace

std::optional<RowMachine> RowMachine::create(const Instruction& i, std::uint64_t constant, std::string& why) {
  Assembled assembled = assemble(column_program(i, constant), line_name(i));
  if (assembled.lessons.empty()) {
    why = assembled.diagnostics.render();
    return std::nullopt;
  }
  RowMachine machine;
  machine.program_ = std::move(assembled.lessons.front());
  machine.signature_ = signature(i);
  machine.lanes_ = machine.find_lanes(i);
  return machine;
}

// The instruction is the one that writes %d0.
std::optional<RowMachine::Lanes> RowMachine::find_lanes(const Instruction& i) const {
  if (!is_lanewise(i.row->lift) || signature_.reads_carry || signature_.writes_carry) return std::nullopt;
  std::variant<Code, LaunchError> decoded =
      decode(program_, shape(kBlockThreads), Binding{std::vector<std::uint64_t>(program_.params.size())});
  if (!std::holds_alternative<Code>(decoded)) return std::nullopt;
  Lanes lanes{std::get<Code>(std::move(decoded)), 0, {}, {}};
  const auto row_of = [&](const std::string& name) {
    const std::int32_t reg = program_.find_register(name);
    return reg < 0 ? kNoOffset : lanes.code.register_offset[static_cast<std::size_t>(reg)];
  };
  for (std::size_t k = 0; k < signature_.operands.size(); ++k)
    lanes.operands.push_back(row_of("%s" + std::to_string(k)));
  for (std::size_t k = 0; k < signature_.results.size(); ++k) lanes.results.push_back(row_of("%d" + std::to_string(k)));
  const auto writes_result = [&](const DecodedInsn& d) { return is_lanewise(d.lift) && d.dst == lanes.results[0]; };
  const auto found = std::find_if(lanes.code.insns.begin(), lanes.code.insns.end(), writes_result);
  if (found == lanes.code.insns.end()) return std::nullopt;
  lanes.pc = static_cast<std::size_t>(found - lanes.code.insns.begin());
  return lanes;
}

void RowMachine::run_lanes(const Columns& operands, std::size_t count, Columns& results) const {
  const DecodedInsn& insn = lanes_->code.insns[lanes_->pc];
  std::vector<Line> lines(lanes_->code.block_template.size() / sizeof(Line) + 1);
  std::byte* block = lines[0].bytes;
  std::copy(lanes_->code.block_template.begin(), lanes_->code.block_template.end(), block);
  for (std::size_t n = 0; n < count; n += kLanes) {
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (lanes_->operands[k] != kNoOffset) to_row(signature_.operands[k], &operands[k][n], block, lanes_->operands[k]);
    }
    if (insn.fast.alone != nullptr) insn.fast.alone(block, insn);
    else insn.masked(block, insn, full_mask(kLanes));
    for (std::size_t k = 0; k < results.size(); ++k)
      from_row(signature_.results[k], block, lanes_->results[k], &results[k][n]);
  }
}

Arguments RowMachine::arguments(const Columns& operands, std::size_t first, std::size_t count) const {
  Arguments arguments;
  for (const Param& p : program_.params) {
    Array& array = arguments.buffers[p.name];
    array.type = p.type;
    if (p.name[0] == 's') {
      const auto from =
          operands[static_cast<std::size_t>(p.name[1] - '0')].begin() + static_cast<std::ptrdiff_t>(first);
      array.bits.assign(from, from + static_cast<std::ptrdiff_t>(count));
    } else {
      array.bits.assign(p.name == "m" ? kWordsToActOn * count : count, 0);
    }
  }
  return arguments;
}

std::string RowMachine::run(const Columns& operands, std::size_t first, std::size_t count, Columns& results) const {
  std::variant<Machine, LaunchError> made = Machine::create(program_, shape(count), arguments(operands, first, count));
  if (const LaunchError* error = std::get_if<LaunchError>(&made)) return error->message;
  Machine& machine = std::get<Machine>(made);
  const RunResult run = machine.run();
  if (!run.ok) return english(run.trap.message);
  for (std::size_t k = 0; k < signature_.results.size(); ++k) {
    const Array column = machine.buffer("d" + std::to_string(k));
    std::copy(column.bits.begin(), column.bits.end(), results[k].begin() + static_cast<std::ptrdiff_t>(first));
  }
  return "";
}

std::string RowMachine::run_reference(const Columns& operands, std::size_t first, std::size_t count,
                                      Columns& results) const {
  const LaunchConfig config = shape(count);
  Arguments given = arguments(operands, first, count);
  const std::variant<Machine, LaunchError> made = Machine::create(program_, config, given);
  if (const LaunchError* error = std::get_if<LaunchError>(&made)) return error->message;
  reference::Launch launch;
  launch.grid = config.grid;
  launch.block = config.block;
  launch.buffers = std::move(given.buffers);
  for (std::size_t p = 0; p < program_.params.size(); ++p)
    launch.addresses[program_.params[p].name] = std::get<Machine>(made).buffer_address(static_cast<std::int32_t>(p));
  const reference::Result result = reference::run(program_, launch);
  if (result.trapped) return result.why;
  for (std::size_t k = 0; k < signature_.results.size(); ++k) {
    const std::vector<std::uint64_t>& bits = result.buffers.find("d" + std::to_string(k))->second.bits;
    std::copy(bits.begin(), bits.end(), results[k].begin() + static_cast<std::ptrdiff_t>(first));
  }
  return "";
}

}  // namespace warpsim::rows
