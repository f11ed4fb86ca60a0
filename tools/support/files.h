// What a file system knows of paths, for the verbs: whether something is there, and what is in a folder.
//
// Shapes: what is in a file is read by output.h. In a browser the files are those that the page gives.
// Errors: none, unless said: what cannot be looked at is not there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpsim::tools {

bool exists(const std::string& path);  // whatever it is
bool is_file(const std::string& path);
bool is_folder(const std::string& path);
// Whether two names are the same file's.
bool is_same_file(const std::string& one, const std::string& other);
// The files that end so in a folder and in all below it, sorted; `error` says why it cannot be read, else it stays.
std::vector<std::string> files_below(const std::string& folder, std::string_view ending, std::string& error);
std::string working_folder();  // "": it is gone

}  // namespace warpsim::tools
