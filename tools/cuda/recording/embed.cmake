# Writes OUT, a C++ file that holds the PTX modules FILES (GROUP.ptx, joined by commas). Runs at build time as
# `cmake -DOUT=… -DFILES=… -P embed.cmake`: embedding needs no other tool.
string(REPLACE "," ";" files "${FILES}")
set(entries "")
foreach(file IN LISTS files)
  file(READ "${file}" text)
  get_filename_component(group "${file}" NAME_WE)
  string(APPEND entries "    {\"${group}\", R\"~ptx~(${text})~ptx~\"sv},\n")
endforeach()
file(WRITE "${OUT}" "// Written by tools/cuda/recording/embed.cmake.
#include \"tools/cuda/recording/kernels.h\"

#pragma GCC diagnostic ignored \"-Woverlength-strings\"  // more than the 65536 characters that the standard promises

namespace warpsim {
namespace {
using namespace std::string_view_literals;
constexpr CudaModule kModules[] = {
${entries}    {\"\", \"\"},  // an array needs an element
};
}  // namespace
std::span<const CudaModule> cuda_modules() {
  return std::span<const CudaModule>(kModules).first(std::size(kModules) - 1);
}
}  // namespace warpsim
")
