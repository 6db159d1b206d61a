/** WebNN graphs as files. */

import { GraphBuilder } from '../api/graph_builder.js';
import { Operand } from '../api/operand.js';
import { interfaceType } from '../webidl/interfaces.js';
import { serializeGraph } from './serialize_graph.js';

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
