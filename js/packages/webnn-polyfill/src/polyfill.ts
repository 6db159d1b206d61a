/**
 * A polyfill of WebNN: `await install()`, and `navigator.ml` is there. The types of WebNN itself, which this entry exports,
 * too, are those of its [IDL](https://www.w3.org/TR/webnn/#idl-index).
 *
 * @module tflite-webnn/polyfill
 */

export type { Engine, EngineContext, EngineGraph, EngineTensor, ExportableEngineTensor } from './engine.js';
export type { EngineName } from './engines.js';
export type { NamedOperand, OperandDescriptor, RecordedConstant, RecordedGraph, RecordedOperator } from './graph.js';
export { type InstallOptions, install, webnnOf } from './install.js';
export type { GlobalScope, PolyfillInfo } from './install_engine.js';
export type { TFLiteEngineOptions } from './tflite/engine/local_context.js';
export { type TFLiteEngineThread, tfliteEngine } from './tflite/engine/tflite_engine.js';
export { graphToTFLite } from './tflite/graph_to_tflite.js';
export { VERSION } from './version.js';
