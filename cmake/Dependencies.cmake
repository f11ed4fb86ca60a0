# find_package first; each message says which Debian package has it.
find_package(nlohmann_json 3.11 REQUIRED)   # Debian: nlohmann-json3-dev
if(WARPSIM_TOOLS)
  find_package(spdlog REQUIRED)             # Debian: libspdlog-dev
  find_package(CLI11 REQUIRED)              # Debian: libcli11-dev
endif()
if(WARPSIM_TESTS)
  find_package(GTest REQUIRED)              # Debian: libgtest-dev
endif()
if(WARPSIM_BENCH)
  find_package(benchmark REQUIRED)          # Debian: libbenchmark-dev
endif()
