# Installs the build into a folder of its own, builds examples/embed against that alone, and runs it.
# cmake -DBUILD=… -DSOURCE=… -DCXX=… -DGENERATOR=… -DSANITIZE=… -P TestEmbedding.cmake
set(tree ${BUILD}/embedding)
file(REMOVE_RECURSE ${tree})
file(MAKE_DIRECTORY ${tree})
set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=address,undefined")   # the libraries were built with it
endif()
include(${CMAKE_CURRENT_LIST_DIR}/RunCommand.cmake)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${tree}/installed)
run(${CMAKE_COMMAND} -S ${SOURCE}/examples/embed -B ${tree}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_CXX_FLAGS=${flags} -DCMAKE_PREFIX_PATH=${tree}/installed)
run(${CMAKE_COMMAND} --build ${tree}/build)
run(${tree}/build/embed)
if(NOT out STREQUAL "1.0 3.0 6.0 10.0 \n")
  message(FATAL_ERROR "examples/embed printed: ${out}")
endif()
