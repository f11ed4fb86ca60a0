// The functions of the driver's interface with their addresses, for those who ask by name.
//
// Shapes: one name may have several, of different versions of CUDA.
// Units:  a version is a number like 12040.
// Errors: none.
// Source: functions.def.
#pragma once

#include <span>

namespace warpsim::driver {

struct FunctionRow {
  const char* name;
  int since;
  const void* address;
};
std::span<const FunctionRow> function_rows();

}  // namespace warpsim::driver
