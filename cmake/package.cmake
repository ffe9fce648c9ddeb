# What `cpack` makes: a Debian package of all that is installed. An engine plug-in is a component and
# a package of its own, so that nobody needs its libraries who does not want it.
set(JOULETREE_MAINTAINER "JouleTree developers <developers@jouletree.example>" CACHE STRING
  "Maintainer named by the Debian package")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "${JOULETREE_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "time and energy of deep-learning models, operator by operator")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# The package `jouletree` is what belongs to the component of that name, and what only Debian asks
# for. A component that names no group becomes the package jouletree-COMPONENT.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENTS_ALL jouletree debian)
set(CPACK_COMPONENT_JOULETREE_GROUP program)
set(CPACK_COMPONENT_DEBIAN_GROUP program)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME jouletree)
# Opened when somebody names a database of PostgreSQL, so that no dependency is found.
if(TARGET jouletree_postgresql)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS libpq5)
endif()
# Needed only by those who build against the library.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "libfmt-dev, zlib1g-dev, cmake, g++")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
"JouleTree takes a model file and returns a tree of its modules and operators
in which every node carries parameters, FLOPs, bytes and memory, and says how
each number was obtained. It compares models, and writes well-known
architectures as files to try.
.
This package holds the program jouletree, its library and headers for C++, and
a CMake package: find_package(jouletree).")

if(TARGET jouletree_torch)
  list(APPEND CPACK_COMPONENTS_ALL torch)
  set(CPACK_DEBIAN_TORCH_PACKAGE_NAME jouletree-torch)
  # The plug-in and the worker of the program speak the same version.
  set(CPACK_DEBIAN_TORCH_PACKAGE_DEPENDS "jouletree (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
  # On the reference BLAS, products of matrices are a hundred times slower.
  set(CPACK_DEBIAN_TORCH_PACKAGE_RECOMMENDS libopenblas0-pthread)
  set(CPACK_COMPONENT_TORCH_DESCRIPTION
"The LibTorch engine of JouleTree, which reads TorchScript models.")
endif()

# What Debian asks of the documentation of a package.
set(debian_docs ${PROJECT_BINARY_DIR}/debian)
string(TIMESTAMP DEBIAN_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(cmake/debian-changelog.in ${debian_docs}/changelog.Debian @ONLY)
configure_file(CHANGELOG.md ${debian_docs}/changelog COPYONLY)
execute_process(COMMAND ${GZIP_PROGRAM} -9 --no-name --force --keep
  ${debian_docs}/changelog.Debian ${debian_docs}/changelog COMMAND_ERROR_IS_FATAL ANY)
install(FILES cmake/debian-copyright TYPE DOC RENAME copyright COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES ${debian_docs}/changelog.Debian.gz ${debian_docs}/changelog.gz TYPE DOC
  COMPONENT debian EXCLUDE_FROM_ALL)

include(CPack)
