// Catches the host where it reads or writes managed or pinned memory that work of a stream still uses: such pages are
// protected, and who touches them is noted and goes on.
//
// Shapes: a page is closed when work writes all of it, and for the host's writes alone when work reads all of it; an
//         allocation of one page when work touches any of it. A page that work uses in part stays open: a right
//         program may use the rest of it, and a system call on a closed page fails with EFAULT. Memory that has only
//         one mapping (DeviceMemory::map_twice) stays open.
// Units:  bytes; pages of the system.
// Errors: none. Where a program sets its own handler of SIGSEGV after the last launch, the fault is the program's.
// Source: mprotect(2), sigaction(2).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "host/cudart/work_races.h"
#include "host/exec/call_stack.h"
#include "sim/memory/device_memory.h"

namespace warpsim::cudart {

class HostGuard {
 public:
  struct Access {
    std::uint64_t address = 0;
    bool writes = false;
    host::CallStack at;
  };

  // Closes what this work uses, and opens all else.
  void update(const DeviceMemory& memory, const std::deque<TouchingWork>& work);
  // Before the allocation is freed.
  void forget(std::uint64_t address);
  // What the host has touched since the last time, though it was closed.
  static std::vector<Access> take_accesses();

 private:
  enum class Page : std::uint8_t { Open, ReadOnly, Closed };
  struct Block;
  Block& block_at(const DeviceMemory::Allocation& allocation);
  static void set(Block& block, const std::vector<Page>& pages);

  std::map<std::uint64_t, Block*> blocks_;  // those that were closed once; a handler may look at them at any time
};

}  // namespace warpsim::cudart
