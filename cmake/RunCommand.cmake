# run(COMMAND…) runs a command in ${tree}; its output is left in `out`. A command that fails ends the script.
function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${tree} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    string(JOIN " " command ${ARGV})
    message(FATAL_ERROR "${command}\n${out}${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()
