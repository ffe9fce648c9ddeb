# What `cmake --install` puts in place. Every path is relative to the prefix, so the installation
# can be moved.
include(CMakePackageConfigHelpers)

# What names no component belongs to the package of that name.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME jouletree)

install(TARGETS jouletree RUNTIME)
# For other languages, with include/jouletree/meter.h.
install(TARGETS jouletree_meter_c LIBRARY NAMELINK_SKIP)
install(TARGETS jouletree_worker RUNTIME DESTINATION ${JOULETREE_ENGINE_DIR})
if(TARGET jouletree_onnxruntime)
  install(TARGETS jouletree_onnxruntime LIBRARY DESTINATION ${JOULETREE_ENGINE_DIR})
endif()
if(TARGET jouletree_torch)
  install(TARGETS jouletree_torch LIBRARY DESTINATION ${JOULETREE_ENGINE_DIR} COMPONENT torch)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/jouletree)
install(TARGETS jouletree_library jouletree_headers EXPORT jouletree-targets)
install(EXPORT jouletree-targets NAMESPACE jouletree:: DESTINATION ${package_dir})
configure_package_config_file(cmake/jouletree-config.cmake.in
  ${PROJECT_BINARY_DIR}/jouletree-config.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0, a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/jouletree-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/jouletree-config.cmake
  ${PROJECT_BINARY_DIR}/jouletree-config-version.cmake
  DESTINATION ${package_dir})
# The folder is the list: every header in it is public.
install(DIRECTORY include/jouletree TYPE INCLUDE FILES_MATCHING
  PATTERN "*.hpp" PATTERN "*.h")

install(DIRECTORY ${PROJECT_BINARY_DIR}/share/man/ TYPE MAN)
install(FILES ${PROJECT_BINARY_DIR}/share/bash-completion/completions/jouletree
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

install(FILES README.md TYPE DOC)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md")
# Not in the Debian package, which has the licence and the changelog in Debian's way.
install(FILES CHANGELOG.md LICENSE TYPE DOC COMPONENT plain)
