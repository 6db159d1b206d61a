/** WebNN graphs as files. */

import { GraphBuilder } from '../api/graph_builder.js';
import { Operand } from '../api/operand.js';
import { interfaceType } from '../webidl/interfaces.js';
import { serializeGraph } from './serialize_graph.js';

const builderType = interfaceType('MLGraphBuilder', () => GraphBuilder);
const operandType = interfaceType('MLOperand', () => Operand);

/**
 * The graph of some operands as a TensorFlow Lite model, whose inputs and outputs have the names of the graph's.
 *
 * @param builder - A builder of the polyfill that has not built its graph; it can go on afterwards.
 * @param outputs - Operands by the names of the outputs, as for `build()`.
 * @returns the content of a .tflite file.
 * @throws TypeError where `build()` would reject with one.
 * @group polyfill.mjs
 */
export function graphToTFLite(builder: object, outputs: Readonly<Record<string, object>>): Uint8Array<ArrayBuffer> {
  const named = Object.entries(outputs).map(
    ([name, operand]) => [name, operandType(operand, `output '${name}'`)] as const,
  );
  return serializeGraph(builderType(builder, 'builder').record(new Map(named)));
}
