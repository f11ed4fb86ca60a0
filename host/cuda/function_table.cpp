// See function_table.h. By itself, as it declares the functions without their parameters: it takes their addresses
// alone.
#include "host/cuda/function_table.h"

extern "C" {
#define DRIVER_VARIANT(name, suffix)
#define DRIVER_REFUSED(name, base, since) void name();
#define DRIVER_FUNCTION(name, base, since) void name();
#include "host/cuda/functions.def"
#undef DRIVER_FUNCTION
#undef DRIVER_REFUSED
}

namespace warpsim::driver {
namespace {

const FunctionRow kRows[] = {
#define DRIVER_REFUSED(name, base, since) {#base, since, reinterpret_cast<const void*>(&name)},
#define DRIVER_FUNCTION(name, base, since) DRIVER_REFUSED(name, base, since)
#include "host/cuda/functions.def"
#undef DRIVER_FUNCTION
#undef DRIVER_REFUSED
#undef DRIVER_VARIANT
};

}  // namespace

std::span<const FunctionRow> function_rows() { return kRows; }

}  // namespace warpsim::driver
