// What happens when our own code is wrong: say where, and stop.
//
// Errors: this is the end of the process; user input never gets here.
#include "isa/text/check.h"

#include <cstdio>
#include <cstdlib>

namespace warpsim {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: warpsim is wrong here: %s\n", file, line, condition);
  std::abort();
}

}  // namespace warpsim
