// See program_file.h.
#include "tools/exec/program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "host/exec/static_runtime.h"

namespace warpsim::tools {
namespace {

constexpr std::string_view kFatBinarySection = ".nvFatBinSegment";

bool is_executable(const std::string& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

// A file's bytes, for as long as this lives.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat about {};
    if (file >= 0 && ::fstat(file, &about) == 0 && about.st_size > 0) {
      size_ = static_cast<std::size_t>(about.st_size);
      bytes_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (file >= 0) ::close(file);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (bytes_ != MAP_FAILED) ::munmap(bytes_, size_);
  }
  std::string_view text() const {
    return bytes_ == MAP_FAILED ? std::string_view() : std::string_view(static_cast<const char*>(bytes_), size_);
  }

 private:
  void* bytes_ = MAP_FAILED;
  std::size_t size_ = 0;
};

template <class T>
std::optional<T> at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || sizeof(T) > bytes.size() - offset) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

bool is_any_elf(std::string_view bytes) { return bytes.starts_with(std::string_view(ELFMAG, SELFMAG)); }

bool is_elf(std::string_view bytes) {
  const auto header = at<Elf64_Ehdr>(bytes, 0);
  return header && is_any_elf(bytes) && header->e_ident[EI_CLASS] == ELFCLASS64 &&
         header->e_ident[EI_DATA] == ELFDATA2LSB;
}

// Of the command itself: what it can load its libraries into.
std::optional<std::uint16_t> machine_of(std::string_view elf) {
  if (!is_elf(elf)) return std::nullopt;
  return at<Elf64_Ehdr>(elf, 0)->e_machine;
}

std::vector<Elf64_Phdr> segments_of(std::string_view elf) {
  std::vector<Elf64_Phdr> segments;
  const auto header = at<Elf64_Ehdr>(elf, 0);
  for (std::uint64_t k = 0; header && k < header->e_phnum; ++k)
    if (const auto segment = at<Elf64_Phdr>(elf, header->e_phoff + k * header->e_phentsize))
      segments.push_back(*segment);
  return segments;
}

// Where in the file an address is.
std::optional<std::uint64_t> offset_of(const std::vector<Elf64_Phdr>& segments, std::uint64_t address) {
  for (const Elf64_Phdr& one : segments)
    if (one.p_type == PT_LOAD && address - one.p_vaddr < one.p_filesz) return address - one.p_vaddr + one.p_offset;
  return std::nullopt;
}

bool has_privileges(const std::string& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 && ((about.st_mode & (S_ISUID | S_ISGID)) != 0 ||
                                               ::getxattr(path.c_str(), "security.capability", nullptr, 0) > 0);
}

}  // namespace

std::string find_program_file(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_executable(name) ? name : "";
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  while (true) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::string folder(rest.substr(0, end));
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (is_executable(candidate)) return candidate;
    if (end == rest.size()) return "";
    rest.remove_prefix(end + 1);
  }
}

std::vector<std::string> needed_libraries(std::string_view elf) {
  std::vector<std::string> names;
  if (!is_elf(elf)) return names;
  const std::vector<Elf64_Phdr> segments = segments_of(elf);
  std::vector<Elf64_Dyn> entries;
  for (const Elf64_Phdr& segment : segments)
    for (std::uint64_t k = 0; segment.p_type == PT_DYNAMIC && k < segment.p_filesz / sizeof(Elf64_Dyn); ++k)
      if (const auto entry = at<Elf64_Dyn>(elf, segment.p_offset + k * sizeof(Elf64_Dyn))) entries.push_back(*entry);
  const auto table =
      std::find_if(entries.begin(), entries.end(), [](const auto& one) { return one.d_tag == DT_STRTAB; });
  if (table == entries.end()) return names;
  const std::uint64_t strings = offset_of(segments, table->d_un.d_ptr).value_or(elf.size());
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag != DT_NEEDED || strings >= elf.size() || entry.d_un.d_val >= elf.size() - strings) continue;
    const std::string_view name = elf.substr(strings + entry.d_un.d_val);
    names.emplace_back(name.substr(0, name.find('\0')));
  }
  return names;
}

std::optional<Refusal> refusal_of(const std::string& path) {
  if (has_privileges(path))
    return Refusal{ExitCode::Unsupported,
                   path +
                       " runs with more rights than yours (setuid, setgid or capabilities), and the loader gives it no "
                       "other library",
                   "run a copy of it without them"};
  const MappedFile file(path);
  if (!is_any_elf(file.text())) return std::nullopt;
  if (machine_of(file.text()) != machine_of(MappedFile("/proc/self/exe").text()))
    return Refusal{ExitCode::Unsupported,
                   path +
                       " is a program for another machine, of other words or instructions: libcudart.so.13 of "
                       "warpsim cannot be loaded into it",
                   "compile it for this machine, with 64 bits"};
  const std::vector<std::string> needed = needed_libraries(file.text());
  const auto runtime = std::find_if(needed.begin(), needed.end(),
                                    [](const std::string& name) { return name.starts_with("libcudart.so"); });
  if (runtime != needed.end() && *runtime != kRuntime)
    return Refusal{ExitCode::Unsupported,
                   path + " was linked to " + *runtime + ", and warpsim has " + std::string(kRuntime),
                   "compile it with CUDA 13"};
  if (runtime == needed.end() && file.text().find(kFatBinarySection) != std::string_view::npos &&
      file.text().find(host::kInsideRuntime) != std::string_view::npos)
    return Refusal{ExitCode::Unsupported, path + " has " + host::kStaticRuntime, host::kLinkSharedRuntime};
  return std::nullopt;
}

}  // namespace warpsim::tools
