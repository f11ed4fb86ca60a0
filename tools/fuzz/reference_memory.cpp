// Loads, stores and atomics of the second interpreter: see reference_interpreter.h.
//
// Units:  addresses and offsets in bytes.
// Errors: out of bounds, misaligned, and stores to read-only buffers are faults.
// Source: PTX ISA 9.0, section 9.7.8 (ld, st) and 9.7.13.5 (atom).
#include "tools/fuzz/reference_grid.h"

namespace warpsim::reference {

void Grid::put(Memory& memory, Bits at, int size, Bits bits_stored) {
  for (int k = 0; k < size; ++k)
    memory.bytes[at + static_cast<Bits>(k)] = static_cast<unsigned char>(bits_stored >> 8 * k);
}

Grid::Bits Grid::get(const Memory& memory, Bits at, int size) {
  Bits result = 0;
  for (int k = 0; k < size; ++k) result |= Bits{memory.bytes[at + static_cast<Bits>(k)]} << 8 * k;
  return result;
}

// The place that an address operand names, as an address in its space.
Grid::Bits Grid::address_of(const Block& block, const Thread& thread, const Operand& operand) const {
  Bits moving = static_cast<Bits>(constant(operand.expr, lanes_));
  if (operand.reg >= 0) {
    const std::size_t reg = static_cast<std::size_t>(operand.reg);
    const Bits raw = thread.registers[reg];
    const bool wide = program_.registers[reg].cls == RegClass::R64;
    const bool is_index = operand.kind == Operand::Kind::Element;
    moving += !wide && is_index ? static_cast<Bits>(static_cast<std::int64_t>(static_cast<std::int32_t>(raw))) : raw;
  }
  if (operand.special_index >= 0) moving += special(block, thread, static_cast<Special>(operand.special_index));
  Bits base = 0, scale = 1;
  if (operand.param >= 0) {
    base = global_[static_cast<std::size_t>(operand.param)].address;
    scale = static_cast<Bits>(bytes(program_.params[static_cast<std::size_t>(operand.param)].type));
  }
  if (operand.object >= 0) {
    base = shared_offset_[static_cast<std::size_t>(operand.object)];
    scale = static_cast<Bits>(bytes(program_.objects[static_cast<std::size_t>(operand.object)].type));
  }
  return base + moving * (operand.kind == Operand::Kind::Element ? scale : 1);
}

// Whether the access is inside the array that the operand names, and not in what follows it.
bool Grid::inside_named_array(const Block& block, const Thread& thread, const Operand& operand,
                              int access_bytes) const {
  if (operand.kind != Operand::Kind::Element) return true;
  const Bits address = address_of(block, thread, operand);
  if (operand.param >= 0) {
    const Memory& buffer = global_[static_cast<std::size_t>(operand.param)];
    return address >= buffer.address && address - buffer.address < buffer.bytes.size();
  }
  const std::size_t k = static_cast<std::size_t>(operand.object);
  const Object& array = program_.objects[k];
  const Bits size = static_cast<Bits>(bytes(array.type)) * static_cast<Bits>(constant(array.length, lanes_));
  return address >= shared_offset_[k] && address - shared_offset_[k] + static_cast<Bits>(access_bytes) <= size;
}

Grid::Memory* Grid::memory_at(Block& block, bool shared, Bits address, int size) {
  const auto holds = [&](const Memory& memory) {
    return address >= memory.address && address - memory.address < memory.bytes.size() &&
           address - memory.address + static_cast<Bits>(size) <= memory.bytes.size();
  };
  if (shared) return holds(block.shared) ? &block.shared : nullptr;
  for (Memory& buffer : global_)
    if (holds(buffer)) return &buffer;
  return nullptr;
}

void Grid::memory_step(Block& block, Thread& thread, const Insn& insn) {
  const bool is_store = info(insn.op).lift == Lift::Store, is_load = info(insn.op).lift == Lift::Load;
  const bool is_shared = info(insn.op).unit == Unit::Shared;
  const int n = elements(info(insn.op).form), one = bytes(insn.type), size = n == 0 ? one : n * one;
  const Bits address = address_of(block, thread, *find(insn, "address"));
  Memory* const memory = memory_at(block, is_shared, address, size);
  if (memory == nullptr || !inside_named_array(block, thread, *find(insn, "address"), size)) {
    fault_ = "out of bounds at pc " + std::to_string(thread.pc);
  } else if (address % static_cast<Bits>(size) != 0) {
    fault_ = "misaligned at pc " + std::to_string(thread.pc);
  } else if (!is_load && memory->read_only) {
    fault_ = "store to a read-only buffer at pc " + std::to_string(thread.pc);
  } else if (n > 0) {
    for (int k = 0; k < n; ++k) {
      const Bits at = address - memory->address + static_cast<Bits>(k * one);
      if (is_store) put(*memory, at, one, named(block, thread, element_name('a', k), insn.type, 0));
      else write(thread, find(insn, element_name('d', k)), insn.type, get(*memory, at, one));
    }
  } else if (is_store) {
    put(*memory, address - memory->address, size, value(block, thread, *find(insn, "a"), insn.type));
  } else {
    const Bits old = get(*memory, address - memory->address, size);
    if (!is_load) {
      const Bits b = named(block, thread, "b", insn.type, 0), c = named(block, thread, "c", insn.type, 0);
      put(*memory, address - memory->address, size, evaluate_atomic(insn.op, insn.type, old, b, c).value_or(old));
    }
    write_d(thread, old);
  }
}

}  // namespace warpsim::reference
