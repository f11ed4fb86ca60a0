// `warpsim view --serve`: the page from a server on this machine, made anew when what it shows changes.
//
// Errors: through the Reply. A mistake in an edited file is shown in the page and on standard error; the server goes
// on.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tools/session/session.h"

namespace warpsim::tools {

// The page of a session; nothing after its Reply has said why.
using PageMaker = std::function<std::optional<std::string>(Session&)>;

// Whether --port, -o and --json fit --serve and --open.
bool serve_options_fit(Session& session);
void serve_page(Session& session, const PageMaker& make);

}  // namespace warpsim::tools
