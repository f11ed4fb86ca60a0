// The page's two halves, as tools/viewer/embed.cmake put them together at build time; the data stands between them.
#pragma once

#include <string_view>

namespace warpsim {

std::string_view page_before_data();
std::string_view page_after_data();

}  // namespace warpsim
