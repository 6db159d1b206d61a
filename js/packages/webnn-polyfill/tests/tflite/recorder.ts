/** Builders whose graphs are lowered, but not built. */

import { type Engine, type MLGraphBuilder, type MLOperand, type RecordedGraph, webnnOf } from 'webnn-polyfill';
import { GraphBuilder } from '../../src/api/graph_builder.js';
import { Operand } from '../../src/api/recording.js';
import { opSupportLimits } from '../../src/tflite/op_table.js';
import { lowerGraph } from '../../src/tflite/serialize_graph.js';
import { interfaceType } from '../../src/webidl/interfaces.js';
import { describeModel, type ShownTypes } from './describe_model.js';

const ENGINE: Engine = {
  name: 'tflite',
  open: async () => ({
    accelerated: false,
    limits: opSupportLimits(),
    lost: new Promise(() => {}),
    build: () => Promise.reject(new Error('these tests do not build')),
    createTensor() {
      throw new Error('these tests need no tensors');
    },
    destroy() {},
  }),
};

const scope = webnnOf(ENGINE);
const context = await scope.navigator?.ml?.createContext();
const Builder = scope.MLGraphBuilder as new (context: unknown) => MLGraphBuilder;
const builderType = interfaceType('MLGraphBuilder', () => GraphBuilder);
const operandType = interfaceType('MLOperand', () => Operand);

/** A builder with the limits of the tflite engine. */
export function newBuilder(): MLGraphBuilder {
  return new Builder(context);
}

/** The graph with these outputs, named y0 and so on. */
export function graphOf(builder: MLGraphBuilder, results: readonly MLOperand[]): RecordedGraph {
  const outputs = results.map((operand, index) => [`y${index}`, operandType(operand, 'result')] as const);
  return builderType(builder, 'builder').record(new Map(outputs));
}

/** The nodes of the graph with these outputs. */
export function linesOf(builder: MLGraphBuilder, results: readonly MLOperand[], shown?: ShownTypes): string[] {
  return describeModel(lowerGraph(graphOf(builder, results)), shown);
}
