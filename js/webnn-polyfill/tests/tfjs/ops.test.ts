/** Every operator of the table, compared with plain references. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { ML, MLContext, MLGraphBuilder } from '../../src/generated/webnn_types.js';
import { type GlobalScope, installEngine } from '../../src/install_engine.js';
import { OP_TABLE } from '../../src/tfjs/op_table.js';
import { ALL_CASES } from './cases/all.js';
import { cpuEngine } from './cpu_engine.js';
import { differences, outputsOf } from './run_case.js';

let context: MLContext;
let Builder: new (context: MLContext) => MLGraphBuilder;

beforeAll(async () => {
  const scope: GlobalScope = {};
  await installEngine(cpuEngine, false, scope);
  Builder = scope.MLGraphBuilder as typeof Builder;
  const ml = scope.navigator?.ml as unknown as ML;
  context = await ml.createContext();
});

test('every operator of the table has a case', () => {
  const tested = new Set(ALL_CASES.map(({ op }) => op));
  expect([...OP_TABLE.keys()].filter((op) => !tested.has(op))).toEqual([]);
});

describe.each(['all', 'first', 'none'] as const)('operands that are inputs: %s', (inputs) => {
  test.each(ALL_CASES.map((row) => [`${row.op} ${row.what}`, row] as const))('%s', async (_, row) => {
    expect(differences(row, await outputsOf(Builder, context, row, inputs))).toEqual([]);
  });
});
