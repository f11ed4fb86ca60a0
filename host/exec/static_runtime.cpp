// See static_runtime.h.
#include "host/exec/static_runtime.h"

#include <errno.h>
#include <link.h>

#include <cstdint>

namespace warpsim::host {
namespace {

struct Search {
  std::uintptr_t address = 0;
  std::string found;
};

// Of the object that has the address: its name, if what it has loaded to be read holds the text.
int look_into(dl_phdr_info* object, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  bool is_it = false, has_text = false;
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[k];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_R) == 0) continue;
    const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    is_it = is_it || search.address - begin < segment.p_memsz;
  }
  if (!is_it) return 0;
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[k];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_R) == 0) continue;
    const std::string_view bytes(reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr), segment.p_filesz);
    has_text = has_text || bytes.find(kInsideRuntime) != std::string_view::npos;
  }
  const std::string name = *object->dlpi_name == '\0' ? program_invocation_name : object->dlpi_name;
  if (has_text) search.found = name;
  return 1;
}

}  // namespace

std::string object_with_runtime(const void* address) {
  Search search{reinterpret_cast<std::uintptr_t>(address), ""};
  ::dl_iterate_phdr(look_into, &search);
  return search.found;
}

}  // namespace warpsim::host
