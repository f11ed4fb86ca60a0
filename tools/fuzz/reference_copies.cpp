// Copies that a thread does not wait for, of the second interpreter: see reference_interpreter.h.
//
// Shapes: a copy takes place when its thread waits for it, as late as PTX allows; the machine makes it at once. A
//         program that waits before it looks cannot see the difference.
// Units:  bytes.
// Errors: as of loads and stores; more bytes to read than to copy.
// Source: PTX ISA 9.0, 9.7.9.25.3: "cp.async", "cp.async.commit_group", "cp.async.wait_group", "cp.async.wait_all".
#include <algorithm>

#include "tools/fuzz/reference_grid.h"

namespace warpsim::reference {

void Grid::begin_copy(Block& block, Thread& thread, const Insn& insn) {
  Copy copy;
  copy.to = address_of(block, thread, *find(insn, "destination"));
  copy.from = address_of(block, thread, *find(insn, "source"));
  copy.size = static_cast<int>(named(block, thread, "size", Type::U32, 0));
  copy.read = static_cast<int>(named(block, thread, "read", Type::U32, static_cast<Bits>(copy.size)));
  const auto check = [&](std::string_view slot, bool shared, Bits address, int bytes_there) {
    const bool inside = inside_named_array(block, thread, *find(insn, slot), bytes_there) &&
                        memory_at(block, shared, address, bytes_there) != nullptr;
    if (!inside) fault_ = "out of bounds at pc " + std::to_string(thread.pc);
    else if (address % static_cast<Bits>(copy.size) != 0) fault_ = "misaligned at pc " + std::to_string(thread.pc);
  };
  if (copy.read > copy.size) fault_ = "a copy of fewer bytes than it reads";
  if (copy.read != 0) check("source", false, copy.from, copy.read);
  check("destination", true, copy.to, copy.size);
  thread.copies.push_back(copy);
}

void Grid::finish_copy(Block& block, const Copy& copy) {
  Memory& to = *memory_at(block, true, copy.to, copy.size);
  for (int k = 0; k < copy.size; ++k) {
    const Bits far = static_cast<Bits>(k);
    const bool reads = k < copy.read;
    const Memory* const from = reads ? memory_at(block, false, copy.from, copy.read) : nullptr;
    put(to, copy.to - to.address + far, 1, reads ? get(*from, copy.from - from->address + far, 1) : 0);
  }
}

// The copies up to the group that the thread waits for; a group is a number that rises.
void Grid::copies_step(Block& block, Thread& thread, const Insn& insn) {
  const std::string_view mnemonic = info(insn.op).mnemonic;
  if (mnemonic == "cp.async.commit_group") {
    for (Copy& copy : thread.copies)
      if (copy.group == 0) copy.group = thread.copy_groups + 1;
    ++thread.copy_groups;
    return;
  }
  const bool all = mnemonic == "cp.async.wait_all";
  const Bits pending = named(block, thread, "pending", Type::U32, 0);
  const auto is_over = [&](const Copy& copy) {
    return all || (copy.group != 0 && copy.group + pending <= thread.copy_groups);
  };
  for (const Copy& copy : thread.copies)
    if (!fault_ && is_over(copy)) finish_copy(block, copy);
  std::erase_if(thread.copies, is_over);
}

}  // namespace warpsim::reference
