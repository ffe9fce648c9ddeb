# What `cmake --install` puts in place. Every path is relative to the prefix, so the installation
# can be moved. The program must have been built; what only a whole build makes is optional, so that
# one can install after the quickstart.
include(CMakePackageConfigHelpers)

# What names no component belongs to the package of that name.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME jouletree)

install(TARGETS jouletree RUNTIME)
# For other languages, with include/jouletree/meter.h.
install(TARGETS jouletree_meter_c LIBRARY NAMELINK_SKIP OPTIONAL)
install(TARGETS jouletree_worker RUNTIME DESTINATION ${JOULETREE_ENGINE_DIR} OPTIONAL)
foreach(plugin onnxruntime httplib sqlite postgresql)
  if(TARGET jouletree_${plugin})
    install(TARGETS jouletree_${plugin} LIBRARY DESTINATION ${JOULETREE_ENGINE_DIR} OPTIONAL)
  endif()
endforeach()
if(TARGET jouletree_torch)
  install(TARGETS jouletree_torch LIBRARY DESTINATION ${JOULETREE_ENGINE_DIR} COMPONENT torch
    OPTIONAL)
endif()
# Those that run PyTorch's models in whichever Python has it; they need no extension module.
install(FILES python/jouletree/errors.py python/jouletree/_arguments.py
  python/jouletree/_interrupts.py python/jouletree/_outputs.py
  DESTINATION ${JOULETREE_ENGINE_DIR}/python/jouletree)
install(DIRECTORY python/jouletree/torch DESTINATION ${JOULETREE_ENGINE_DIR}/python/jouletree
  FILES_MATCHING PATTERN "*.py")

add_subdirectory(cmake/development)
# The folder is the list: every header in it is public.
install(DIRECTORY include/jouletree TYPE INCLUDE FILES_MATCHING
  PATTERN "*.hpp" PATTERN "*.h")

install(DIRECTORY ${PROJECT_BINARY_DIR}/share/man/ TYPE MAN OPTIONAL)
install(FILES ${PROJECT_BINARY_DIR}/share/bash-completion/completions/jouletree
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions OPTIONAL)

install(FILES README.md TYPE DOC)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs FILES_MATCHING PATTERN "*.md")
# Not in the Debian package, which has the licence and the changelog in Debian's way.
install(FILES CHANGELOG.md LICENSE TYPE DOC COMPONENT plain)
