# Writes OUT, a C++ file that holds the text of the kernels FILES (GROUP/NAME.cu, relative to ROOT, joined by commas). Runs at
# build time as `cmake -DROOT=… -DOUT=… -DFILES=… -P embed_texts.cmake`: embedding needs no other tool.
string(REPLACE "," ";" files "${FILES}")
set(entries "")
foreach(file IN LISTS files)
  file(READ "${ROOT}/${file}" text)
  string(REGEX REPLACE "[.]cu$" "" name "${file}")
  string(APPEND entries "    {\"${name}\", R\"~cuda~(${text})~cuda~\"sv},\n")
endforeach()
file(WRITE "${OUT}" "// Written by tools/cuda/recording/embed_texts.cmake.
#include \"tools/cuda/recording/kernel_texts.h\"

namespace warpsim {
namespace {
using namespace std::string_view_literals;
struct KernelText {
  std::string_view program, text;
};
constexpr KernelText kKernelTexts[] = {
${entries}};
}  // namespace
std::string_view cuda_kernel_text(std::string_view program) {
  for (const KernelText& one : kKernelTexts)
    if (one.program == program) return one.text;
  return {};
}
}  // namespace warpsim
")
