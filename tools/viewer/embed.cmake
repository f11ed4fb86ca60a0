# Writes OUT, a C++ file that holds the page: page.html with the style and the modules SCRIPTS (joined by commas, in an order in
# which each stands after what it uses) inside, in two halves with room for the data between them. Runs at build time as
# `cmake -DROOT=… -DOUT=… -DSCRIPTS=… -P embed.cmake`: building the page needs no other tool, Node least of all.
#
# The modules become one script: lines that begin with `import` go, and `export` before a declaration. The page's content
# security policy names the hashes of script and style, so a browser runs these and nothing else.
file(READ "${ROOT}/page.html" page)
file(READ "${ROOT}/page.css" style)
file(READ "${ROOT}/multiprocessor/watch.css" more)
string(APPEND style "${more}")
set(script "\"use strict\";\n(() => {\n")
string(REPLACE "," ";" files "${SCRIPTS}")
foreach(file IN LISTS files)
  file(READ "${ROOT}/${file}" text)
  string(REGEX REPLACE "(^|\n)import [^\n]*" "\\1" text "${text}")
  string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
  string(APPEND script "${text}")
endforeach()
string(APPEND script "})();\n")

# base64 of the SHA-256 of a text, as the policy wants it.
set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
function(hash_of text result)
  string(SHA256 hex "${text}")
  set(out "")
  foreach(at RANGE 0 60 6)   # 3 bytes are 4 characters; the last 2 bytes are 3 and a sign
    string(SUBSTRING "${hex}0000" ${at} 6 piece)
    math(EXPR bits "0x${piece}")
    foreach(shift 18 12 6 0)
      math(EXPR index "(${bits} >> ${shift}) & 63")
      string(SUBSTRING "${alphabet}" ${index} 1 letter)
      string(APPEND out "${letter}")
    endforeach()
  endforeach()
  string(SUBSTRING "${out}" 0 43 out)
  set(${result} "sha256-${out}=" PARENT_SCOPE)
endfunction()
hash_of("${script}" script_hash)
hash_of("${style}" style_hash)

string(REPLACE "@SCRIPT_HASH@" "${script_hash}" page "${page}")
string(REPLACE "@STYLE_HASH@" "${style_hash}" page "${page}")
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")
string(FIND "${page}" "<!--@DATA@-->" middle)
if(middle LESS 0)
  message(FATAL_ERROR "page.html has no <!--@DATA@-->")
endif()
string(SUBSTRING "${page}" 0 ${middle} before)
math(EXPR middle "${middle} + 13")
string(SUBSTRING "${page}" ${middle} -1 after)

file(WRITE "${OUT}" "// Written by tools/viewer/embed.cmake.
#include \"tools/viewer/page.h\"

#pragma GCC diagnostic ignored \"-Woverlength-strings\"  // more than the 65536 characters that the standard promises

namespace warpsim {
using namespace std::string_view_literals;
std::string_view page_before_data() { return R\"~page~(${before})~page~\"sv; }
std::string_view page_after_data() { return R\"~page~(${after})~page~\"sv; }
}  // namespace warpsim
")
