# tools/cuda/kernels/GROUP/*.cu as one PTX module a group, which embedded_modules, a C++ file, holds. New kernels need no
# edit here. Without nvcc the list of modules is empty; -DWARPSIM_NVCC=OFF leaves one that is installed alone.
find_program(WARPSIM_NVCC nvcc
  HINTS ${CUDAToolkit_ROOT} ENV CUDAToolkit_ROOT ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda PATH_SUFFIXES bin
  DOC "nvcc of the CUDA toolkit, for the hand-written kernels; OFF: build without them")
set(kernel_root ${CMAKE_CURRENT_SOURCE_DIR}/kernels)
set(kernel_build ${CMAKE_CURRENT_BINARY_DIR}/kernels)
set(ptx_files "")
if(WARPSIM_NVCC)
  message(STATUS "CUDA kernels: compiled to PTX by ${WARPSIM_NVCC}")
  file(GLOB kernel_files RELATIVE ${kernel_root} CONFIGURE_DEPENDS ${kernel_root}/*/*.cu)
  set(kernel_groups "")
  foreach(file IN LISTS kernel_files)
    get_filename_component(group ${file} DIRECTORY)
    list(APPEND kernel_groups ${group})
    list(APPEND kernels_of_${group} ${file})
  endforeach()
  list(REMOVE_DUPLICATES kernel_groups)
  foreach(group IN LISTS kernel_groups)
    list(TRANSFORM kernels_of_${group} REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE lines)
    list(JOIN lines "" lines)
    file(CONFIGURE OUTPUT ${kernel_build}/${group}.cu CONTENT "${lines}")   # written only if it changed
    list(TRANSFORM kernels_of_${group} PREPEND ${kernel_root}/ OUTPUT_VARIABLE paths)
    # -fmad=false: a product and a sum stay two roundings, as in the programs. sm_80: the first with __reduce_*_sync.
    add_custom_command(OUTPUT ${kernel_build}/${group}.ptx
      COMMAND ${WARPSIM_NVCC} -ptx -std=c++17 -fmad=false -arch=compute_80 -Werror all-warnings -I${kernel_root}
              ${kernel_build}/${group}.cu -o ${kernel_build}/${group}.ptx
      DEPENDS ${kernel_build}/${group}.cu ${paths} ${CMAKE_CURRENT_SOURCE_DIR}/kernels.cmake
      COMMENT "CUDA kernels of ${group}" VERBATIM)
    list(APPEND ptx_files ${kernel_build}/${group}.ptx)
  endforeach()
else()
  message(STATUS "CUDA kernels: nvcc was not found, so the hand-written kernels are left out")
endif()
list(JOIN ptx_files "," ptx_list)
set(embedded_modules ${kernel_build}/modules.cpp)
add_custom_command(OUTPUT ${embedded_modules}
  COMMAND ${CMAKE_COMMAND} "-DOUT=${embedded_modules}" "-DFILES=${ptx_list}" -P ${CMAKE_CURRENT_SOURCE_DIR}/recording/embed.cmake
  DEPENDS ${ptx_files} ${CMAKE_CURRENT_SOURCE_DIR}/recording/embed.cmake ${CMAKE_CURRENT_SOURCE_DIR}/kernels.cmake
  COMMENT "Embedding the CUDA kernels" VERBATIM)

include(kernel_texts.cmake)   # sets embedded_texts
