# Decides whether the Python package is built: ON, OFF, or AUTO where Python's headers and nanobind
# are there. The environment that scripts/setup-python.sh made comes first.
set(JOULETREE_PYTHON OFF CACHE STRING "Build the Python package: ON, OFF or AUTO (if possible)")
set(JOULETREE_PYTHON_PROBLEM "")
if(NOT JOULETREE_PYTHON)
  set(JOULETREE_PYTHON_PROBLEM "this build leaves the Python package out (JOULETREE_PYTHON is OFF)")
  return()
endif()

if(NOT Python_EXECUTABLE AND EXISTS ${PROJECT_SOURCE_DIR}/.deps/python/bin/python)
  set(Python_EXECUTABLE ${PROJECT_SOURCE_DIR}/.deps/python/bin/python)
endif()
find_package(Python 3.10 QUIET COMPONENTS Interpreter Development.Module)
if(Python_FOUND)
  execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
    OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE nanobind_ROOT ERROR_QUIET)
  find_package(nanobind CONFIG QUIET)
endif()
if(NOT nanobind_FOUND)
  set(JOULETREE_PYTHON_PROBLEM
    "the Python package is not built: Python's headers or nanobind are missing; run scripts/setup-python.sh")
  if(NOT JOULETREE_PYTHON STREQUAL "AUTO")
    message(FATAL_ERROR "${JOULETREE_PYTHON_PROBLEM}")
  endif()
  message(STATUS "${JOULETREE_PYTHON_PROBLEM}")
endif()
