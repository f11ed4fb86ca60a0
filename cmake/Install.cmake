# cmake --install, and find_package(warpsim) for those who embed the simulator: see examples/embed and examples/c.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(warpsim_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/warpsim)

install(TARGETS warpsim_settings isa sim traces EXPORT warpsim-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/warpsim)
if(WARPSIM_HOST)
  # libwarpsim, its header, and how C programs find it.
  install(TARGETS c c_static EXPORT warpsim-targets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  # CUDA's runtime and its driver, where no loader looks unasked: `warpsim exec` names them.
  install(TARGETS cudart cuda_driver LIBRARY DESTINATION lib/warpsim/cuda NAMELINK_SKIP)
  install(FILES host/interface/warpsim.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  # Where it is installed is known only then.
  install(CODE "
    set(CMAKE_INSTALL_LIBDIR \"${CMAKE_INSTALL_LIBDIR}\")
    set(CMAKE_INSTALL_INCLUDEDIR \"${CMAKE_INSTALL_INCLUDEDIR}\")
    set(PROJECT_DESCRIPTION \"${PROJECT_DESCRIPTION}\")
    set(PROJECT_VERSION \"${PROJECT_VERSION}\")
    configure_file(\"${PROJECT_SOURCE_DIR}/cmake/warpsim.pc.in\" \"${CMAKE_CURRENT_BINARY_DIR}/warpsim.pc\" @ONLY)")
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/warpsim.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(DIRECTORY isa sim traces DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warpsim
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(EXPORT warpsim-targets NAMESPACE warpsim:: DESTINATION ${warpsim_config_dir})
install(FILES cmake/warpsimConfig.cmake DESTINATION ${warpsim_config_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/warpsimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/warpsimConfigVersion.cmake DESTINATION ${warpsim_config_dir})
if(WARPSIM_TOOLS)
  install(TARGETS warpsim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # What the command says of itself is written when it is installed: the manual page and the shells' completions.
  set(WARPSIM_MANUAL ${CMAKE_CURRENT_BINARY_DIR}/manual)
  install(CODE "
    file(MAKE_DIRECTORY \"${WARPSIM_MANUAL}\")
    function(warpsim_writes file)
      execute_process(COMMAND \"$<TARGET_FILE:warpsim>\" \${ARGN} OUTPUT_FILE \"${WARPSIM_MANUAL}/\${file}\"
        COMMAND_ERROR_IS_FATAL ANY)
    endfunction()
    warpsim_writes(warpsim.1 help --man)
    warpsim_writes(warpsim.bash completions bash)
    warpsim_writes(_warpsim completions zsh)
    warpsim_writes(warpsim.fish completions fish)")
  install(FILES ${WARPSIM_MANUAL}/warpsim.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${WARPSIM_MANUAL}/warpsim.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME warpsim)
  install(FILES ${WARPSIM_MANUAL}/warpsim.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  # zsh reads the first below /usr/local, and Debian's zsh the second below /usr.
  install(FILES ${WARPSIM_MANUAL}/_warpsim DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${WARPSIM_MANUAL}/_warpsim DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  # Syntax colours: where vim and Neovim look below /usr, and all of them to copy.
  install(DIRECTORY editors DESTINATION ${CMAKE_INSTALL_DATADIR}/warpsim)
  install(DIRECTORY editors/vim/ DESTINATION ${CMAKE_INSTALL_DATADIR}/vim/vimfiles)
  install(DIRECTORY editors/vim/ DESTINATION ${CMAKE_INSTALL_DATADIR}/nvim/site)
endif()

# The examples are built against what would be installed, and must print the right numbers.
if(WARPSIM_TESTS)
  enable_language(C)
  add_test(NAME embedding_example
    COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR}
            -DCXX=${CMAKE_CXX_COMPILER} -DC=${CMAKE_C_COMPILER} -DGENERATOR=${CMAKE_GENERATOR} -DSANITIZE=${WARPSIM_SANITIZER_FLAGS}
            -P ${PROJECT_SOURCE_DIR}/cmake/TestEmbedding.cmake)
  if(NOT WARPSIM_SANITIZE)
    add_test(NAME package COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_BINARY_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/TestPackage.cmake)
  endif()
endif()
