/**
 * A polyfill of WebNN: `await install()`, and `navigator.ml` is there. The types of WebNN itself, which this entry exports,
 * too, are those of its [IDL](https://www.w3.org/TR/webnn/#idl-index).
 *
 * @module tflite-webnn/polyfill
 */

import { FLAG, type OptionSchema, oneOf, validateOptions } from 'tflite-webnn/wasm';
import { GraphBuilder } from './api/graph_builder.js';
import { Operand } from './api/recording.js';
import type { Engine } from './engine.js';
import { DEFAULT_ENGINE, ENGINE_NAMES, type EngineName, engineOf } from './engines.js';
import { type GlobalScope, installEngine } from './install_engine.js';
import { serializeGraph } from './tflite/serialize_graph.js';
import { interfaceType } from './webidl/interfaces.js';

export type {
  Engine,
  EngineContext,
  EngineGraph,
  EngineTensor,
  ExportableEngineTensor,
  NamedOperand,
  OperandDescriptor,
  RecordedConstant,
  RecordedGraph,
  RecordedOperator,
} from './engine.js';
export type { EngineName } from './engines.js';
export { type GlobalScope, type PolyfillInfo, VERSION } from './install_engine.js';
export type { TFLiteEngineOptions } from './tflite/engine/local_context.js';
export { type TFLiteEngineThread, tfliteEngine } from './tflite/engine/tflite_engine.js';

/**
 * Options of `install`.
 *
 * @group polyfill.mjs
 */
export interface InstallOptions {
  /** The name of an engine, or an engine object. Default: `tflite`. */
  engine?: EngineName | Engine;
  /** Whether to replace a working WebNN, too. */
  force?: boolean;
}

const [SOME_ENGINE, isName] = oneOf(ENGINE_NAMES);
const INSTALL_SCHEMA: OptionSchema<InstallOptions> = {
  engine: [`${SOME_ENGINE}, or an object with open()`, (value) => isName(value) || isEngine(value)],
  force: FLAG,
};

function isEngine(value: unknown): boolean {
  return typeof (value as Partial<Engine> | null)?.open === 'function';
}

/**
 * Installs `navigator.ml` and the interfaces if WebNN is missing, or opens no context; with `force`,
 * always. If WebNN is missing or `force` is set, that happens before the call returns.
 *
 * @param options - The engine, and whether to replace a working WebNN.
 * @returns whether `navigator.ml` is the polyfill now.
 * @throws OptionError for an unknown name, with the nearest one there is, or a value of another kind.
 * @group polyfill.mjs
 */
export async function install(options: InstallOptions = {}): Promise<boolean> {
  validateOptions('', options, INSTALL_SCHEMA);
  const { engine = DEFAULT_ENGINE, force = false } = options;
  return installEngine(engineOf(engine), force);
}

/**
 * WebNN on an engine, without installing it: an object with the globals of `install`, `navigator.ml` and
 * the interfaces. The page's own globals remain unchanged.
 *
 * @param engine - The name of an engine, or an engine object.
 * @throws OptionError if there is no such engine.
 * @group polyfill.mjs
 */
export function webnnOf(engine: EngineName | Engine = DEFAULT_ENGINE): GlobalScope {
  validateOptions('', { engine }, INSTALL_SCHEMA);
  const scope: GlobalScope = {};
  void installEngine(engineOf(engine), true, scope); // synchronous if forced
  return scope;
}

const builderType = interfaceType('MLGraphBuilder', () => GraphBuilder);
const operandType = interfaceType('MLOperand', () => Operand);

/**
 * Converts a graph to a TensorFlow Lite model with the graph's names of inputs and outputs.
 *
 * @param builder - A builder of the polyfill that has not built its graph; it remains usable.
 * @param outputs - Operands by output name, as for `build()`.
 * @returns the content of a .tflite file.
 * @throws TypeError if `build()` would reject with one.
 * @group polyfill.mjs
 */
export function graphToTFLite(builder: object, outputs: Readonly<Record<string, object>>): Uint8Array<ArrayBuffer> {
  const named = Object.entries(outputs).map(
    ([name, operand]) => [name, operandType(operand, `output '${name}'`)] as const,
  );
  return serializeGraph(builderType(builder, 'builder').record(new Map(named)));
}
