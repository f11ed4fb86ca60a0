// The interface: functions without a meaning here, and the program's end.
#include <string>

#include "host/cudart/call.h"

namespace warpsim::cudart {
namespace {

cudaError_t refuse(const char* name) {
  return call(
      [name](Runtime& runtime) {
        runtime.say(std::string(name) + " is not supported: it returns cudaErrorNotSupported");
        return cudaErrorNotSupported;
      },
      Notices::No);
}

// Behind the program's own destructors, which still call.
__attribute__((destructor)) void finish() {
  locked([](Runtime& runtime) { runtime.finish(); });
}

}  // namespace

extern "C" {
#define CUDART_FUNCTION(name)
#define CUDART_VARIANT(name, suffix)
// Whatever its parameters are: it looks at none of them.
#define CUDART_REFUSED(name) \
  CUDART(name)() { return refuse(#name); }
#include "host/cudart/functions.def"
#undef CUDART_REFUSED
#undef CUDART_VARIANT
#undef CUDART_FUNCTION
}

}  // namespace warpsim::cudart
