# Other people's libraries: the installed one if there is one, else the same version fetched from its home, pinned by hash.
#
# Everything is in Debian 12 and Ubuntu 24.04; tools/setup.sh installs it. The fetching is for machines without the
# packages; it could not be tried where this was written, which has no access to GitHub.
include(FetchContent)
set(FETCHCONTENT_QUIET ON)
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)   # options set here hold inside what is fetched
if(POLICY CMP0135)
  cmake_policy(SET CMP0135 NEW)
endif()

# warpsim_dependency(NAME VERSION DEBIAN_PACKAGE URL SHA256)
function(warpsim_dependency name version package url sha256)
  find_package(${name} ${version} QUIET)
  if(${name}_FOUND)
    return()
  endif()
  message(STATUS "${name} is not installed (Debian and Ubuntu: ${package}); fetching ${url}")
  FetchContent_Declare(${name} URL ${url} URL_HASH SHA256=${sha256})
  FetchContent_MakeAvailable(${name})
endfunction()

warpsim_dependency(nlohmann_json 3.11 nlohmann-json3-dev
  https://github.com/nlohmann/json/releases/download/v3.11.2/json.tar.xz
  8c4b26bf4b422252e13f332bc5e388ec0ab5c3443d24399acb675e68278d341f)

if(WARPSIM_TOOLS)
  warpsim_dependency(spdlog 1.9 "libspdlog-dev"
    https://github.com/gabime/spdlog/archive/refs/tags/v1.10.0.tar.gz
    697f91700237dbae2326b90469be32b876b2b44888302afbc7aceb68bcfe8224)
  warpsim_dependency(CLI11 2.1 "libcli11-dev"
    https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.1.2.tar.gz
    26291377e892ba0e5b4972cdfd4a2ab3bf53af8dac1f4ea8fe0d1376b625c8cb)
  # Compressed traces. Debian's libzstd-dev brings no CMake package.
  find_package(ZLIB QUIET)
  find_path(WARPSIM_ZSTD_INCLUDE zstd.h)
  find_library(WARPSIM_ZSTD zstd)
  if(NOT ZLIB_FOUND OR NOT WARPSIM_ZSTD OR NOT WARPSIM_ZSTD_INCLUDE)
    message(FATAL_ERROR "The command needs zlib and zstd. Debian and Ubuntu: apt-get install zlib1g-dev libzstd-dev. "
                        "Or build the libraries alone: -DWARPSIM_TOOLS=OFF")
  endif()
endif()

if(WARPSIM_TESTS)
  set(INSTALL_GTEST OFF)
  warpsim_dependency(GTest 1.11 "libgtest-dev"
    https://github.com/google/googletest/archive/refs/tags/release-1.12.1.tar.gz
    81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2)
  find_package(LibLZMA QUIET)
  if(NOT LibLZMA_FOUND)
    message(FATAL_ERROR "The tests need liblzma, which is not installed. Debian and Ubuntu: apt-get install liblzma-dev. "
                        "Or build without the tests: -DWARPSIM_TESTS=OFF")
  endif()
endif()

if(WARPSIM_BENCH)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  warpsim_dependency(benchmark 1.6 "libbenchmark-dev"
    https://github.com/google/benchmark/archive/refs/tags/v1.7.1.tar.gz
    6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7)
endif()
