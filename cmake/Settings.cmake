# How every target is compiled.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# All of it can become part of libwarpsim.so, and hidden names cost nothing there.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# sim/ asks for -O3 itself: the lane loops need it; elsewhere it only takes the compiler's time.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# -Wno-restrict: g++ 12 warns wrongly about std::string (GCC bug 105329). -Wno-pass-failed: clang says which loops stay scalar.
# -Wno-pass-failed: clang warns of lane loops that it cannot vectorise, such as integer division; none must be.
# -fno-math-errno: sqrt becomes an instruction, its bits stay.
# Floating point is IEEE as PTX defines it: no contraction that the program did not ask for.
add_library(warpsim_settings INTERFACE)
target_include_directories(warpsim_settings INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/warpsim>)
target_compile_features(warpsim_settings INTERFACE cxx_std_20)
target_compile_options(warpsim_settings INTERFACE
  $<BUILD_INTERFACE:-ffp-contract=off;-fno-math-errno;-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion;-Wno-missing-field-initializers;$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>;$<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wno-pass-failed>;$<$<BOOL:${EMSCRIPTEN}>:-Wno-shorten-64-to-32>>)
if(WARPSIM_WERROR)
  target_compile_options(warpsim_settings INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()
if(WARPSIM_SANITIZE)
  # -Wno-maybe-uninitialized: the checks that g++ inserts make it warn wrongly about the standard library (GCC bug 105562).
  # The release build keeps that warning.
  # No checks of null pointers, which end in a report all the same, of dynamic types, and at each pointer of its object's size,
  # of wrapping and of its alignment: addresses out of bounds are the address sanitizer's. They are half of the compiler's time.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,vptr,object-size,pointer-overflow,alignment
    -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  # g++ collects garbage from 600 MB on instead of 128: up to twice the memory, a twelfth less time.
  add_compile_options("$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=600000>")
  # clang alone checks the types of functions that are called through a pointer: those of the CUDA driver are called as its manual
  # has them. Its runtime is part of the program by default, and then the libraries here would have none: as a library it is looked
  # for where the compiler is.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options(-fno-sanitize=function)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-runtime-dir OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
    set(sanitizer_link -shared-libasan -Wl,-rpath,${runtime})
    add_link_options(${sanitizer_link})
  endif()
  list(JOIN sanitizer_link " " WARPSIM_SANITIZER_FLAGS)
  string(PREPEND WARPSIM_SANITIZER_FLAGS "-fsanitize=address,undefined ")   # of who links with the libraries
  # At fixed addresses, a process starts in half the time: the tests start thousands, and each relocated 100 MB.
  add_link_options(-fsanitize=address,undefined $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()

# With WARPSIM_UNITY the files of a room are compiled together, and small rooms that follow each other, up to so many bytes:
# most of what a small file costs is reading its headers.
function(warpsim_unity target)
  if(NOT WARPSIM_UNITY)
    return()
  endif()
  set(most_bytes 80000)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(SORT sources)
  set(group "")
  set(group_bytes 0)
  set(last_room "")
  foreach(source IN LISTS sources)
    get_filename_component(room ${source} DIRECTORY)
    string(FIND ${source} ${CMAKE_BINARY_DIR}/ generated)
    if(generated EQUAL 0)   # it has no size yet
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP generated)
      continue()
    endif()
    file(SIZE ${source} bytes)
    math(EXPR group_bytes "${group_bytes} + ${bytes}")
    if(group STREQUAL "" OR (group_bytes GREATER most_bytes AND NOT room STREQUAL last_room))
      file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} ${room}/)
      string(MAKE_C_IDENTIFIER "room_${name}" group)
      set(group_bytes ${bytes})
    endif()
    set(last_room ${room})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()

# One library a folder: every .cpp in its rooms, but those that are named behind WITHOUT. New files need no edit here.
function(warpsim_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "WITHOUT")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(room IN LISTS arg_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${room}/")
  endforeach()
  add_library(${name} STATIC ${sources})
  add_library(warpsim::${name} ALIAS ${name})
  target_link_libraries(${name} PUBLIC warpsim_settings ${arg_UNPARSED_ARGUMENTS})
  warpsim_unity(${name})
endfunction()
