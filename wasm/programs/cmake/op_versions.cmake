# TFLite's versioning of ops. It needs the schema's header with mutable accessors, which is in GENERATED_DIR.
add_library(op_versions STATIC EXCLUDE_FROM_ALL
  "${TFLITE_MLIR_DIR}/tools/versioning/op_signature.cc"
  "${TFLITE_MLIR_DIR}/tools/versioning/op_version.cc")
target_link_libraries(op_versions PUBLIC tflite_api)
target_compile_options(op_versions PRIVATE ${PROGRAM_COMPILE_OPTIONS})
