// Several PTX modules → one, linked by symbol; and what a name means where it stands.
//
// Shapes: `.extern` names what another module defines, `.visible`, `.weak` and `.common` define what others may name.
//         Weak definitions give way to another one, of several the first stays; common ones become one of the largest
//         size. Names without such a word are their module's own: two modules may have equal ones. Places keep the
//         number of their module's text; numbers of `.file` and labels of debug strings are made different.
// Units:  bytes.
// Errors: Diagnostics P041 (defined twice) and P042 (declared otherwise than defined), at one place and naming the
//         other. A symbol that nothing defines is no error here: what uses it is refused (ptx_lowering.h).
// Source: PTX ISA 9.0, 11.6 "Linking Directives"; nvcc 13.0, "Using Separate Compilation in CUDA".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/ptx/ptx_reader.h"
#include "isa/ptx/ptx_syntax.h"

namespace warpsim::ptx {

// Each has been read with its place in the list as its number. The diagnostics' texts are all of theirs.
ReadModule link(std::vector<ReadModule> modules);

// What a module's names stand for. Of several declarations that which defines it.
class Symbols {
 public:
  explicit Symbols(const Module& module);
  // As the text of this number has it; null or -1: nothing there declares it.
  const Declaration* object(std::string_view name, std::uint32_t file) const;
  std::int32_t function(std::string_view name, std::uint32_t file) const;
  // The name of a definition that is almost this one; "": none is.
  std::string nearest_defined(std::string_view name) const;

 private:
  using Key = std::pair<std::uint32_t, std::string_view>;
  void add_objects();
  void add_functions();

  const Module& module_;
  std::map<Key, const Declaration*> objects_;
  std::map<Key, std::int32_t> functions_;
};

// Whether this declaration of a variable, and not another one, makes it.
inline bool is_definition(const Declaration& one) { return one.linkage != Linkage::Extern; }

}  // namespace warpsim::ptx
