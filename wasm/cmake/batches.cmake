# Third-party files never change, and reading their headers takes most of the time to compile them: they are compiled in
# unity batches. This project's own files stay single, so that editing one recompiles one.

# add_batches(<target> <files in a batch> [OPTIONS <option>...] FILES <file>...): an object library without warnings.
# CMake leaves files with options or definitions of their own out of the batches.
function(add_batches target size)
  cmake_parse_arguments(PARSE_ARGV 2 batches "" "" "OPTIONS;FILES")
  add_library(${target} OBJECT ${batches_FILES})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
  target_compile_options(${target} PRIVATE -Wno-everything ${batches_OPTIONS} ${RUNTIME_COMPILE_FLAGS})
endfunction()
