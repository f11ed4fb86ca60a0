// Messages to the user, on standard error: `warpsim: error: …`.
//
// Shapes: one line a message; raw() passes a text that is already drawn (a diagnostic with its caret).
// Errors: none; if standard error is gone, so is the message.
#pragma once

#include <string>
#include <string_view>

namespace warpsim::tools::log {

// --color's choice for what is written to `fd`: `auto` asks NO_COLOR, TERM, and whether a person is there.
bool wants_color(const std::string& choice, int fd);
void set_color(bool on);
void error(std::string_view message);
void raw(std::string_view text);

}  // namespace warpsim::tools::log
