// A program as PTX, as a launch of it needs it: what `warpsim ptx` prints, and ptxas makes machine code of.
//
// Shapes: of a kernel that was read from PTX the text is written anew, whatever its launch is.
// Units:  bytes.
// Errors: through the Reply.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tools/session/session.h"

namespace warpsim::tools {

struct WrittenPtx {
  std::string entry, text;
  unsigned target = 0, lanes = 0;
  std::uint64_t shared_bytes = 0;
};
std::optional<WrittenPtx> written_ptx(Session& session, const std::string& name);

}  // namespace warpsim::tools
