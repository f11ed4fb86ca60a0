// Which line of the host's source a frame of a call is.
//
// Shapes: a file's debug information is read once.
// Units:  an offset counts from where a file begins in memory.
// Errors: of a file without debug information: its symbol and offset. Without libdw too.
// Source: elfutils, libdwfl.h; DWARF 5.
#pragma once

#include <memory>
#include <string>

#include "host/exec/call_stack.h"

namespace warpsim::tools {

class HostLines {
 public:
  HostLines();
  HostLines(const HostLines&) = delete;
  HostLines& operator=(const HostLines&) = delete;
  ~HostLines();
  // "main, app.cu:31", or "main, app+0x12a4"
  std::string place(const host::Frame& frame);
  // Whether it is a function that nvcc or a header of CUDA's puts between a program and the runtime: the kernel's own
  // stub on the host, for one.
  static bool is_wrapper(const std::string& place, const std::string& kernel);

 private:
  struct Files;
  std::unique_ptr<Files> files_;
};

}  // namespace warpsim::tools
