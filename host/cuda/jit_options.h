// The options of the just-in-time compiler that a program passes beside PTX: where it wants to read what was wrong.
//
// Shapes: two arrays of the same length; the value of a size is the size itself, and becomes how much was written.
// Units:  bytes, of which the last is a zero.
// Errors: none; a text that does not fit is cut off.
// Source: CUDA Driver API 13.0, CUjit_option.
#pragma once

#include <string>

#include "host/cuda/driver_types.h"

namespace warpsim::driver {

class JitOptions {
 public:
  // The arrays must stay while this is used.
  JitOptions(unsigned count, const CUjit_option* options, void** values);
  bool is_valid() const { return is_valid_; }
  bool wants_errors() const { return errors_.buffer != nullptr; }
  void write_error(const std::string& text) { write(errors_, text); }
  // Nothing, unless an error was written.
  void write_nothing();

 private:
  struct Log {
    char* buffer = nullptr;
    std::size_t size = 0;
    void** written = nullptr;
  };
  static void write(const Log& log, const std::string& text);
  bool is_valid_ = true;
  Log errors_, information_;
};

}  // namespace warpsim::driver
