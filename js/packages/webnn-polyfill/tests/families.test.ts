/** Rules, engines' lowerings and cases have the same families of operators, a file each. */

import { expect, test } from 'vitest';
import { FAMILIES as TFLITE } from '../src/tflite/op_table.js';
import { FAMILIES as CASES } from './cases/every_operator.js';

type Rows = readonly { readonly op: string }[] | Readonly<Record<string, unknown>>;

const operatorsOf = (rows: Rows) => (Array.isArray(rows) ? rows.map(({ op }) => op) : Object.keys(rows)).sort();

async function load(directory: string, family: string): Promise<Rows> {
  const file = (await import(new URL(`../src/${directory}/${family}.ts`, import.meta.url).href)) as Record<
    string,
    Rows
  >;
  return file[family.toUpperCase()] ?? [];
}

test('the families of the tflite engine are those of the cases', () => {
  expect(Object.keys(TFLITE)).toEqual(Object.keys(CASES));
});

test.each(Object.entries(TFLITE))('%s has the same operators everywhere', async (family, rows) => {
  const operators = operatorsOf(rows);
  expect(operatorsOf(CASES[family as keyof typeof CASES])).toEqual(operators);
  for (const directory of ['operators', 'tfjs/ops'])
    expect(operatorsOf(await load(directory, family))).toEqual(operators);
});
