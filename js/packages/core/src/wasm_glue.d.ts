/** What Emscripten writes next to the wasm module. It is not there while the types are checked. */
declare module '*/tflite_webnn.mjs' {
  const factory: import('./wasm/wasm_binding_types.js').WasmModuleFactory;
  export default factory;
}
