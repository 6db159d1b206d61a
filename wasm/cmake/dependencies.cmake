# Components that build with their own CMake files. EXCLUDE_FROM_ALL compiles only the targets that are linked.
set(CPUINFO_LIBRARY_TYPE static CACHE STRING "")
foreach(option
    CPUINFO_BUILD_TOOLS CPUINFO_BUILD_UNIT_TESTS CPUINFO_BUILD_MOCK_TESTS
    CPUINFO_BUILD_BENCHMARKS CPUINFO_BUILD_PKG_CONFIG)
  set(${option} OFF CACHE BOOL "")
endforeach()

# For every file that includes Abseil; the header there says why.
include_directories(SYSTEM "${CMAKE_CURRENT_SOURCE_DIR}/third_party/compat/abseil")

add_subdirectory("${SOURCES_DIR}/cpuinfo" "${CMAKE_BINARY_DIR}/cpuinfo" EXCLUDE_FROM_ALL SYSTEM)

# pthreadpool's own CMake file supports Emscripten only without threads. A module links one of these two.
set(PTHREADPOOL_DIR "${SOURCES_DIR}/pthreadpool")
add_library(pthreadpool_single STATIC EXCLUDE_FROM_ALL "${PTHREADPOOL_DIR}/src/shim.c")
add_library(pthreadpool_threads STATIC EXCLUDE_FROM_ALL
  "${PTHREADPOOL_DIR}/src/memory.c" "${PTHREADPOOL_DIR}/src/portable-api.c" "${PTHREADPOOL_DIR}/src/pthreads.c")
foreach(library pthreadpool_single pthreadpool_threads)
  target_include_directories(${library} SYSTEM PUBLIC "${PTHREADPOOL_DIR}/include" "${SOURCES_DIR}/fxdiv/include")
  target_compile_options(${library} PRIVATE -Wno-everything)
endforeach()
