// Bytes as text of 64 letters, for what stands in JSON.
//
// Errors: unbase64() gives nothing for a text that is none.
// Source: RFC 4648, section 4.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpsim::tools {

std::string base64(std::string_view bytes);
std::optional<std::string> unbase64(std::string_view text);

}  // namespace warpsim::tools
