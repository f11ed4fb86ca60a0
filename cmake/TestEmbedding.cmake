# Installs the build into a folder of its own, builds examples/embed against that alone, and runs it.
# cmake -DBUILD=… -DSOURCE=… -DCXX=… -DGENERATOR=… -DSANITIZE=… -P TestEmbedding.cmake
set(tree ${BUILD}/embedding)
file(REMOVE_RECURSE ${tree})
set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=address,undefined")   # the libraries were built with it
endif()
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT code EQUAL 0)
    string(JOIN " " command ${ARGV})
    message(FATAL_ERROR "${command}\n${out}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${tree}/installed)
run(${CMAKE_COMMAND} -S ${SOURCE}/examples/embed -B ${tree}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_CXX_FLAGS=${flags} -DCMAKE_PREFIX_PATH=${tree}/installed)
run(${CMAKE_COMMAND} --build ${tree}/build)
run(${tree}/build/embed)
if(NOT out STREQUAL "1.0 3.0 6.0 10.0 \n")
  message(FATAL_ERROR "examples/embed printed: ${out}")
endif()
