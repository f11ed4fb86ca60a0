# Other people's libraries, as Debian 12 and Ubuntu 24.04 package them; tools/setup.sh installs them.

# warpsim_dependency(NAME VERSION PACKAGE): find_package, or an error that names Debian's package.
function(warpsim_dependency name version package)
  find_package(${name} ${version} QUIET)
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "${name} ${version} or later was not found. Debian and Ubuntu: apt-get install ${package}. "
                        "Elsewhere: install it where CMake looks, or name its folder: -D${name}_DIR=…")
  endif()
endfunction()

if(EMSCRIPTEN)
  # Headers alone, of this machine's package, in a folder of their own: the others beside them are not Emscripten's.
  find_path(WARPSIM_JSON_INCLUDE nlohmann/json.hpp PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH)
  if(NOT WARPSIM_JSON_INCLUDE)
    message(FATAL_ERROR "nlohmann/json was not found. Debian and Ubuntu: apt-get install nlohmann-json3-dev.")
  endif()
  file(COPY ${WARPSIM_JSON_INCLUDE}/nlohmann DESTINATION ${CMAKE_BINARY_DIR}/include)
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
  target_include_directories(nlohmann_json::nlohmann_json SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/include)
  return()   # a page needs nothing else
endif()
warpsim_dependency(nlohmann_json 3.11 nlohmann-json3-dev)
# Compressed traces and fat binaries. Debian's libzstd-dev and liblz4-dev bring no CMake packages.
find_path(WARPSIM_ZSTD_INCLUDE zstd.h)
find_library(WARPSIM_ZSTD zstd)
find_path(WARPSIM_LZ4_INCLUDE lz4.h)
find_library(WARPSIM_LZ4 lz4)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  option(WARPSIM_ENGINE "Compile programs that run long to machine code" ON)
  find_path(WARPSIM_XBYAK_INCLUDE xbyak/xbyak.h)
  if(WARPSIM_ENGINE AND NOT WARPSIM_XBYAK_INCLUDE)
    message(FATAL_ERROR "Machine code needs Xbyak. Debian and Ubuntu: apt-get install libxbyak-dev. "
                        "Or leave all to the interpreter: -DWARPSIM_ENGINE=OFF")
  endif()
endif()
if(WARPSIM_TOOLS)
  warpsim_dependency(spdlog 1.9 libspdlog-dev)
  warpsim_dependency(CLI11 2.1 libcli11-dev)
  find_package(ZLIB QUIET)
  if(NOT ZLIB_FOUND OR NOT WARPSIM_ZSTD OR NOT WARPSIM_ZSTD_INCLUDE)
    message(FATAL_ERROR "The command needs zlib and zstd. Debian and Ubuntu: apt-get install zlib1g-dev libzstd-dev. "
                        "Or build the libraries alone: -DWARPSIM_TOOLS=OFF -DWARPSIM_TESTS=OFF")
  endif()
endif()
if(WARPSIM_HOST AND (NOT WARPSIM_ZSTD OR NOT WARPSIM_ZSTD_INCLUDE OR NOT WARPSIM_LZ4 OR NOT WARPSIM_LZ4_INCLUDE))
  message(FATAL_ERROR "libwarpsim needs zstd and LZ4. Debian and Ubuntu: apt-get install libzstd-dev liblz4-dev. "
                      "Or build without it: -DWARPSIM_HOST=OFF -DWARPSIM_TESTS=OFF")
endif()
if(WARPSIM_TESTS)
  warpsim_dependency(GTest 1.11 libgtest-dev)
  find_package(LibLZMA QUIET)
  if(NOT LibLZMA_FOUND)
    message(FATAL_ERROR "The tests need liblzma. Debian and Ubuntu: apt-get install liblzma-dev. "
                        "Or build without the tests: -DWARPSIM_TESTS=OFF")
  endif()
endif()
if(WARPSIM_BENCH)
  warpsim_dependency(benchmark 1.6 libbenchmark-dev)
endif()
