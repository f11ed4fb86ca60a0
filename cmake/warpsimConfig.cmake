# find_package(warpsim): the libraries warpsim::isa, warpsim::sim, warpsim::traces, and warpsim::warpsim for all three;
# libwarpsim, which has the C interface of warpsim.h: warpsim::c, and static warpsim::c_static.
include(${CMAKE_CURRENT_LIST_DIR}/warpsim-targets.cmake)
if(NOT TARGET warpsim::warpsim)
  add_library(warpsim::warpsim INTERFACE IMPORTED)
  set_target_properties(warpsim::warpsim PROPERTIES INTERFACE_LINK_LIBRARIES "warpsim::traces;warpsim::sim;warpsim::isa")
endif()
