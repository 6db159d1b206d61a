// Replaces Abseil's header of legacy annotation macros without a prefix (ANNOTATE_*), for race
// detectors that WebAssembly does not have. Chromium deletes the file, so the source archive lacks it;
// no source file of this build uses the macros.
#ifndef TFLITE_WEBNN_WASM_COMPAT_ABSEIL_DYNAMIC_ANNOTATIONS_H_
#define TFLITE_WEBNN_WASM_COMPAT_ABSEIL_DYNAMIC_ANNOTATIONS_H_
#endif  // TFLITE_WEBNN_WASM_COMPAT_ABSEIL_DYNAMIC_ANNOTATIONS_H_
