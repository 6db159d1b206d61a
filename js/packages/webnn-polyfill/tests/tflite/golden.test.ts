/**
 * The nodes of each operator compared with golden files: all valid calls of tests/cases, those with the same nodes
 * in one section. After an intended change, `python3 build.py test --update-goldens` rewrites them.
 */

import { describe, expect, it } from 'vitest';
import type { MLOperand } from 'webnn-polyfill';
import { OP_TABLE } from '../../src/tflite/op_table.js';
import { Operands, WRONG } from '../cases/case.js';
import { CASES } from '../cases/every_operator.js';
import { linesOf, newBuilder } from './recorder.js';

/** The nodes that a call becomes. */
function lines(op: string, args: (operands: Operands) => readonly unknown[]): string[] {
  const builder = newBuilder();
  const method = Reflect.get(builder, op) as (...values: readonly unknown[]) => MLOperand | MLOperand[];
  return linesOf(builder, [method.apply(builder, [...args(new Operands(builder))])].flat(), 'changed');
}

describe('the model of', () => {
  it.each([...OP_TABLE.keys()])('%s', async (op) => {
    const right = (CASES[op] ?? []).filter(([, , outcome]) => outcome !== WRONG);
    const titles = new Map<string, string[]>();
    for (const [title, args] of right) {
      const text = lines(op, args).map((line) => `  ${line}\n`);
      titles.set(text.join(''), [...(titles.get(text.join('')) ?? []), title]);
    }
    const sections = [...titles].map(([text, equal]) => `# ${equal.join('; ')}\n${text}`);
    await expect(sections.join('')).toMatchFileSnapshot(`golden/${op}.txt`);
  });
});
