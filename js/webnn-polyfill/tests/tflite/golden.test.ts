/**
 * What each operator becomes, against golden files: all right calls of tests/cases. After an intended change
 * `npx vitest run -u webnn-polyfill/tests/tflite` writes them anew.
 */

import { describe, expect, it } from 'vitest';
import { GraphBuilder } from '../../src/api/graph_builder.js';
import { INTERFACE_OBJECTS } from '../../src/api/interfaces.js';
import { ML } from '../../src/api/ml.js';
import { Operand } from '../../src/api/operand.js';
import type { Engine } from '../../src/engine.js';
import type { MLContext, MLGraphBuilder, MLOperand } from '../../src/generated/webnn_types.js';
import { opSupportLimits } from '../../src/tflite/limits.js';
import { OP_TABLE } from '../../src/tflite/op_table.js';
import { lowerGraph } from '../../src/tflite/serialize_graph.js';
import { interfaceType, toPage } from '../../src/webidl/interfaces.js';
import { Operands, WRONG } from '../cases/case.js';
import { CASES } from '../cases/every_operator.js';
import { describeModel } from './describe_model.js';

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

const context = toPage(await new ML(ENGINE).createContext({ powerPreference: 'default', accelerated: false }));
const Builder = INTERFACE_OBJECTS.MLGraphBuilder as unknown as new (context: MLContext) => MLGraphBuilder;
const builderType = interfaceType('MLGraphBuilder', () => GraphBuilder);
const operandType = interfaceType('MLOperand', () => Operand);

/** The nodes that a call becomes, or why the limits do not allow it. */
function lines(op: string, args: (make: Operands) => readonly unknown[]): string[] {
  const builder = new Builder(context as MLContext);
  const method = Reflect.get(builder, op) as (...values: readonly unknown[]) => MLOperand | MLOperand[];
  let results: MLOperand[];
  try {
    results = [method.apply(builder, [...args(new Operands(builder))])].flat();
  } catch (error) {
    return [(error as Error).message.replace(/^.*?: /, 'not supported: ')];
  }
  const outputs = results.map((operand, place) => [`y${place}`, operandType(operand, 'result')]);
  return describeModel(lowerGraph(builderType(builder, 'builder').record(Object.fromEntries(outputs))));
}

describe('the model of', () => {
  it.each([...OP_TABLE.keys()])('%s', async (op) => {
    const right = (CASES[op] ?? []).filter(([, , outcome]) => outcome !== WRONG);
    const texts = right.map(([title, args]) =>
      [`${op}: ${title}`, ...lines(op, args).map((line) => `  ${line}`)].join('\n'),
    );
    await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot(`golden/${op}.txt`);
  });
});
