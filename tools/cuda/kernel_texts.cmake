# The texts of tools/cuda/kernels/GROUP/*.cu, which embedded_texts, a C++ file, holds: with or without nvcc.
set(kernel_root ${CMAKE_CURRENT_LIST_DIR}/kernels)
file(GLOB text_files RELATIVE ${kernel_root} CONFIGURE_DEPENDS ${kernel_root}/*/*.cu)
list(JOIN text_files "," text_list)
list(TRANSFORM text_files PREPEND ${kernel_root}/ OUTPUT_VARIABLE text_paths)
set(embedded_texts ${CMAKE_CURRENT_BINARY_DIR}/kernels/texts.cpp)
add_custom_command(OUTPUT ${embedded_texts}
  COMMAND ${CMAKE_COMMAND} "-DROOT=${kernel_root}" "-DOUT=${embedded_texts}" "-DFILES=${text_list}"
          -P ${CMAKE_CURRENT_LIST_DIR}/recording/embed_texts.cmake
  DEPENDS ${text_paths} ${CMAKE_CURRENT_LIST_DIR}/recording/embed_texts.cmake ${CMAKE_CURRENT_LIST_DIR}/kernel_texts.cmake
  COMMENT "Embedding the texts of the CUDA kernels" VERBATIM)
