// What a file is that is no program of ours; see foreign_file.h.
#include "tools/session/foreign_file.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace warpsim::tools {

namespace {

struct OtherLanguage {
  std::string_view name;
  std::string_view endings;  // each between blanks
  std::string_view marks;    // each between bars; a text that has all of them is written in it
  std::string_view example;  // a name of this language that `warpsim isa` finds; "" if it has none
};
constexpr std::array kOtherLanguages = {
    OtherLanguage{"machine code", " .cubin .fatbin .o .so ",
                  "\x7f"
                  "ELF",
                  ""},
    OtherLanguage{kPtx, " .ptx ", "\n.version|\n.target", ""},
    OtherLanguage{kCuda, " .cu .cuh ", "__global__", "__shfl_down_sync"},
    OtherLanguage{"HIP C++", " .hip ", "", ""},
    OtherLanguage{"OpenCL C", " .cl ", "__kernel|__global ", ""},
    OtherLanguage{"Mojo", " .mojo .\xf0\x9f\x94\xa5 ", "fn |from gpu", "shuffle_down"},
    OtherLanguage{"Python", " .py ", "\nimport |def ", ""},
    OtherLanguage{"a notebook", " .ipynb ", "\"nbformat\"", ""},
    OtherLanguage{"C or C++", " .c .cc .cpp .cxx .h .hpp ", "\n#include ", ""},
    OtherLanguage{"LLVM IR", " .ll ", "\ntarget triple", ""},
};

bool ends_as(const OtherLanguage& language, std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || path.find('/', dot) != std::string_view::npos) return false;
  return language.endings.find(" " + std::string(path.substr(dot)) + " ") != std::string_view::npos;
}

// `text` begins with a line feed that was put before it.
bool has_marks(const OtherLanguage& language, std::string_view text) {
  std::string_view marks = language.marks;
  if (marks.empty()) return false;
  while (!marks.empty()) {
    const std::size_t bar = std::min(marks.find('|'), marks.size());
    if (text.find(marks.substr(0, bar)) == std::string_view::npos) return false;
    marks.remove_prefix(std::min(bar + 1, marks.size()));
  }
  return true;
}

// A line that begins with the directive, after blanks.
bool has_kernel(std::string_view text) {
  constexpr std::string_view kDirective = ".kernel";
  for (std::size_t at = text.find(kDirective); at != std::string_view::npos; at = text.find(kDirective, at + 1)) {
    const std::size_t before = text.find_last_not_of(" \t", at - 1);
    if (before == std::string_view::npos || text[before] == '\n') return true;
  }
  return false;
}

}  // namespace

std::optional<ForeignFile> foreign_file(std::string_view path, std::string_view text) {
  const std::string lines = "\n" + std::string(text);
  if (has_kernel(lines)) return std::nullopt;
  auto found = std::find_if(kOtherLanguages.begin(), kOtherLanguages.end(),
                            [&](const OtherLanguage& one) { return ends_as(one, path); });
  if (found == kOtherLanguages.end())
    found = std::find_if(kOtherLanguages.begin(), kOtherLanguages.end(),
                         [&](const OtherLanguage& one) { return has_marks(one, lines); });
  if (found == kOtherLanguages.end()) return std::nullopt;
  std::string hint =
      "write the kernel as a .warp program: `warpsim show p26/butterfly_parallel_max` prints one to start from";
  if (!found->example.empty())
    hint += "; `warpsim isa " + std::string(found->example) + "` names the instruction for that function";
  return ForeignFile{found->name, std::move(hint)};
}

}  // namespace warpsim::tools
