# Writes OUT, a C++ file that holds the text of every program in FILES (paths relative to ROOT, joined by commas) and
# ROOT/ko.json and ROOT/tasks.json.
# Runs at build time as `cmake -DROOT=… -DOUT=… -DFILES=… -P embed.cmake`: embedding needs no other tool.
string(REPLACE "," ";" files "${FILES}")
set(entries "")
foreach(file IN LISTS files)
  file(READ "${ROOT}/${file}" text)
  get_filename_component(name "${file}" NAME_WE)
  get_filename_component(group "${file}" DIRECTORY)
  # A string literal may be 65536 characters long; no program comes near.
  string(APPEND entries "    {\"${group}\", \"${name}\", R\"~warp~(${text})~warp~\"sv},\n")
endforeach()
file(READ "${ROOT}/ko.json" korean)
file(READ "${ROOT}/tasks.json" tasks)
string(REPLACE "\n" "\n)~warp~\",\n    R\"~warp~(" tasks "${tasks}")   # a literal each line: compilers need not take one of more than 64 KiB
file(WRITE "${OUT}" "// Written by programs/embed.cmake.
#include \"programs/embedded.h\"

namespace warpsim {
namespace {
using namespace std::string_view_literals;  // counting the characters would exceed clang's limit of constexpr steps
constexpr EmbeddedProgram kPrograms[] = {
${entries}    {\"\", \"\", \"\"},  // an array needs an element
};
}  // namespace
std::span<const EmbeddedProgram> embedded_programs() {
  return std::span<const EmbeddedProgram>(kPrograms).first(std::size(kPrograms) - 1);
}
std::string embedded_tasks() {
  std::string all;
  for (const char* const line : {
    R\"~warp~(${tasks})~warp~\"})
    all += line;
  return all;
}
std::string_view embedded_korean() { return R\"~warp~(${korean})~warp~\"sv; }
}  // namespace warpsim
")
