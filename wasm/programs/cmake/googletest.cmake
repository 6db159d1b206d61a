# googletest and googlemock, from their authors' two amalgamated files.
set(GOOGLETEST_DIR "${SOURCES_DIR}/googletest")
add_library(googletest STATIC EXCLUDE_FROM_ALL
  "${GOOGLETEST_DIR}/googletest/src/gtest-all.cc" "${GOOGLETEST_DIR}/googlemock/src/gmock-all.cc")
target_include_directories(googletest SYSTEM PUBLIC
  "${GOOGLETEST_DIR}/googletest/include" "${GOOGLETEST_DIR}/googlemock/include")
target_include_directories(googletest SYSTEM PRIVATE "${GOOGLETEST_DIR}/googletest" "${GOOGLETEST_DIR}/googlemock")
target_compile_options(googletest PRIVATE -Wno-everything -O1)
# WebAssembly has no processes, so googletest has no death tests: those in TFLite's tests do nothing.
target_compile_definitions(googletest INTERFACE
  "EXPECT_DEATH=EXPECT_DEATH_IF_SUPPORTED" "ASSERT_DEATH=ASSERT_DEATH_IF_SUPPORTED")
