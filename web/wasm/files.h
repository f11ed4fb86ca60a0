// The files of one call, in memory: those of the request, and those that a verb writes.
//
// Shapes: tools/support/output.h and files.h are over them here. "" as a name is nobody's.
// Errors: a file that is not there cannot be read, as on a disk.
#pragma once

#include <map>
#include <string>

namespace warpsim::web {

struct Files {
  std::map<std::string, std::string> given, written;
  std::string out, err;  // standard output and standard error
};
Files& files();  // of the call that runs

}  // namespace warpsim::web
