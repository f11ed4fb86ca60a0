// How much memory this process may still take, before the operating system refuses it or ends it.
//
// Shapes: the smallest of what the machine has available, what the control groups of the process leave, and what its
//         limits (RLIMIT_AS, RLIMIT_DATA) leave. What the operating system does not say is no limit.
// Units:  bytes.
// Errors: none.
// Source: proc_meminfo(5): MemAvailable; cgroups(7) and the kernel's "Control Group v2": memory.max, memory.current;
//         getrlimit(2); proc_pid_statm(5).
#pragma once

#include <cstdint>
#include <string>

namespace warpsim::host {

// `root` stands before the paths that are read: tests have files of their own.
std::uint64_t memory_left(const std::string& root = "");

}  // namespace warpsim::host
