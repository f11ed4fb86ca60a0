// Why something that a host asks of a device is not done.
//
// Errors: this is one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/event/trap.h"

namespace warpsim::host {

// The numbers are those of warpsim_status (host/interface/warpsim.h).
enum class Status : std::uint8_t {
  Ok,
  InvalidValue,  // an argument that cannot be
  OutOfMemory,
  BadPtx,       // it does not parse, or its parts do not fit
  NotFound,     // no kernel or symbol of that name
  BadLaunch,    // beyond a limit
  Trap,         // the kernel stopped abnormally
  Unsupported,  // it came to an instruction that warpsim does not execute
  Stopped       // by request
};

struct Failure {
  Status status = Status::Ok;
  std::string text;              // one sentence, or several lines as the command draws them
  std::optional<TrapKind> trap;  // of a kernel that stopped abnormally
  bool is_assertion = false;     // … because it asserted what was false
};

}  // namespace warpsim::host
