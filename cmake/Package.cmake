# cpack in the build folder: warpsim_VERSION_ARCH.deb and warpsim-VERSION-SYSTEM-ARCH.tar.gz.
set(CPACK_PACKAGE_NAME warpsim)
set(CPACK_PACKAGE_VENDOR warpsim)
set(CPACK_PACKAGE_CONTACT "warpsim <noreply@localhost>")   # dpkg asks for an address
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_FILE_NAME "warpsim-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "librsvg2-bin, ffmpeg, xdg-utils")   # asked at run time: pictures in pixels, view --open
find_program(WARPSIM_DPKG_SHLIBDEPS dpkg-shlibdeps)        # what the command needs at run time, where this can be asked
if(WARPSIM_DPKG_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)
