# What of the repository stands inside the command, and the site's simulator, as text: files below `generated`, a folder.
set(repository ${CMAKE_CURRENT_LIST_DIR}/..)
configure_file(${CMAKE_CURRENT_LIST_DIR}/support/version.h.in ${generated}/tools/support/version.h @ONLY)
file(READ ${repository}/traces/trace.schema.json WARPSIM_TRACE_SCHEMA)
file(READ ${repository}/traces/profile.schema.json WARPSIM_PROFILE_SCHEMA)
file(READ ${repository}/traces/captures/h200/cycles.json WARPSIM_H200_CYCLES)
file(READ ${repository}/traces/captures/h200/machine_code.json WARPSIM_H200_MACHINE_CODE)
file(READ ${repository}/traces/captures/ptxas/sm_90.json WARPSIM_SM90_CODE)
# A literal each line: compilers need not take one of more than 64 KiB.
foreach(text WARPSIM_H200_CYCLES WARPSIM_H200_MACHINE_CODE WARPSIM_SM90_CODE)
  string(REPLACE "\n" "\n)~json~\",\n    R\"~json~(" ${text} "${${text}}")
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${repository}/traces/trace.schema.json
  ${repository}/traces/profile.schema.json ${repository}/traces/captures/h200/cycles.json
  ${repository}/traces/captures/h200/machine_code.json ${repository}/traces/captures/ptxas/sm_90.json)
configure_file(${CMAKE_CURRENT_LIST_DIR}/support/schema.cpp.in ${generated}/schema.cpp @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/cycles/captured_cycles.cpp.in ${generated}/captured_cycles_text.cpp @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/cycles/captured_machine_code.cpp.in ${generated}/captured_machine_code_text.cpp @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/sass/code_capture_text.cpp.in ${generated}/code_capture_text.cpp @ONLY)
