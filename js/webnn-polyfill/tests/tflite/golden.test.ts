/**
 * The nodes of each operator compared with golden files: all valid calls of tests/cases. After an intended change,
 * `python3 build.py goldens` rewrites them.
 */

import { describe, expect, it } from 'vitest';
import type { MLOperand } from '../../src/generated/webnn_types.js';
import { OP_TABLE } from '../../src/tflite/op_table.js';
import { Operands, WRONG } from '../cases/case.js';
import { CASES } from '../cases/every_operator.js';
import { linesOf, newBuilder } from './recorder.js';

/** The nodes that a call becomes. */
function lines(op: string, args: (make: Operands) => readonly unknown[]): string[] {
  const builder = newBuilder();
  const method = Reflect.get(builder, op) as (...values: readonly unknown[]) => MLOperand | MLOperand[];
  return linesOf(builder, [method.apply(builder, [...args(new Operands(builder))])].flat());
}

describe('the model of', () => {
  it.each([...OP_TABLE.keys()])('%s', async (op) => {
    const right = (CASES[op] ?? []).filter(([, , outcome]) => outcome !== WRONG);
    const texts = right.map(([title, args]) => [`${op}: ${title}`, ...lines(op, args).map((line) => `  ${line}`)]);
    await expect(`${texts.flat().join('\n')}\n`).toMatchFileSnapshot(`golden/${op}.txt`);
  });
});
