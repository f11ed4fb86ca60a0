// Text from parts: see random_text.h.
#include "tools/fuzz/random/random_text.h"

#include <cstdio>

namespace warpsim::reference {

Text cat(std::initializer_list<Part> parts) {
  Text out;
  for (const Part& part : parts) out += part.text;
  return out;
}

Text hex_text(std::uint64_t value, int digits) {
  char buffer[24];
  std::snprintf(buffer, sizeof buffer, "%0*llx", digits, static_cast<unsigned long long>(value));
  return buffer;
}

}  // namespace warpsim::reference
