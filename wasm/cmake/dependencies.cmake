# Components that build with their own CMake files. Only what is linked is compiled (EXCLUDE_FROM_ALL).
set(FXDIV_SOURCE_DIR "${SOURCES_DIR}/fxdiv" CACHE PATH "")
set(PTHREADPOOL_LIBRARY_TYPE static CACHE STRING "")
set(CPUINFO_LIBRARY_TYPE static CACHE STRING "")
foreach(option
    PTHREADPOOL_BUILD_TESTS PTHREADPOOL_BUILD_BENCHMARKS
    CPUINFO_BUILD_TOOLS CPUINFO_BUILD_UNIT_TESTS CPUINFO_BUILD_MOCK_TESTS
    CPUINFO_BUILD_BENCHMARKS CPUINFO_BUILD_PKG_CONFIG)
  set(${option} OFF CACHE BOOL "")
endforeach()
set(ABSL_PROPAGATE_CXX_STD ON)
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)

# For Abseil and for all that includes it, see the file there.
include_directories(SYSTEM "${CMAKE_CURRENT_SOURCE_DIR}/compat/abseil")

foreach(component cpuinfo pthreadpool)
  add_subdirectory("${SOURCES_DIR}/${component}" "${CMAKE_BINARY_DIR}/${component}" EXCLUDE_FROM_ALL SYSTEM)
endforeach()
# Abseil's containers differ with a sanitizer, so it is always compiled as TensorFlow Lite is.
block()
  list(JOIN RUNTIME_COMPILE_FLAGS " " flags)
  string(APPEND CMAKE_CXX_FLAGS_RELEASE " ${flags}")
  add_subdirectory("${SOURCES_DIR}/abseil-cpp" "${CMAKE_BINARY_DIR}/abseil-cpp" EXCLUDE_FROM_ALL SYSTEM)
endblock()
