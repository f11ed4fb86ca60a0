# cmake --install, and find_package(warpsim) for those who embed the simulator: see examples/embed.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(warpsim_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/warpsim)

install(TARGETS warpsim_settings isa sim traces EXPORT warpsim-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/warpsim)
install(DIRECTORY isa sim traces DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warpsim
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(EXPORT warpsim-targets NAMESPACE warpsim:: DESTINATION ${warpsim_config_dir})
install(FILES cmake/warpsimConfig.cmake DESTINATION ${warpsim_config_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/warpsimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/warpsimConfigVersion.cmake DESTINATION ${warpsim_config_dir})
if(WARPSIM_TOOLS)
  install(TARGETS warpsim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# The example is built against what would be installed, and must print the right numbers.
if(WARPSIM_TESTS)
  add_test(NAME embedding_example
    COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR}
            -DCXX=${CMAKE_CXX_COMPILER} -DGENERATOR=${CMAKE_GENERATOR} -DSANITIZE=${WARPSIM_SANITIZE}
            -P ${PROJECT_SOURCE_DIR}/cmake/TestEmbedding.cmake)
  if(NOT WARPSIM_SANITIZE)
    add_test(NAME package COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_BINARY_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/TestPackage.cmake)
  endif()
endif()
