import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { MLOpSupportLimits } from 'webnn-polyfill';
import type { ProbeCase } from '../src/probe_case.js';
import { casesFor, operatorLimits, promiseText, shortfallsOf } from '../src/promise.js';
import { REQUIREMENTS } from '../src/requirements.js';

const TOOL = new URL('../tools/requirements.mjs', import.meta.url).href;
const CHROMIUM = new URL('../../../../web_tests/limits/chromium-147.json', import.meta.url);
const { opSupportLimits } = JSON.parse(readFileSync(CHROMIUM, 'utf8'));
const LIMITS = operatorLimits(opSupportLimits);

function absCase(dataType: string, rank: number, part: ProbeCase['part'] = 'edges'): ProbeCase {
  return {
    name: `abs ${dataType} rank ${rank}`,
    part,
    graph: { inputs: [], constants: [], operators: [{ op: 'abs', args: [] }] },
    operands: [{ name: 'input', dataType, rank }],
    expected: [],
    tolerance: { ulps: 0, floor: 0 },
  };
}

test('every operator of a browser is in the list, and no other', () => {
  expect([...LIMITS.keys()]).toEqual(Object.keys(REQUIREMENTS).sort());
});

test('limits of graphs and of the context are no operators', () => {
  expect([...operatorLimits({ preferredInputLayout: 'nchw', input: { dataTypes: [] } } as MLOpSupportLimits)]).toEqual(
    [],
  );
});

describe('shortfallsOf', () => {
  test('names types, ranks, operands and operators that are missing', () => {
    const { input, output } = structuredClone(opSupportLimits.abs);
    input.dataTypes = ['float32'];
    input.rankRange = { min: 1, max: 4 };
    const limits = {
      ...opSupportLimits,
      abs: { input },
      cos: undefined,
      sin: { input: opSupportLimits.sin.input, output },
    };
    const found = shortfallsOf(operatorLimits(limits)).filter(({ op }) => ['abs', 'cos', 'sin'].includes(op));
    expect(found).toEqual([
      { op: 'abs', operand: 'input', missing: 'float16 int32' },
      { op: 'abs', operand: 'input', missing: 'rank 0' },
      { op: 'abs', operand: 'input', missing: 'rank 5' },
      { op: 'abs', operand: 'output', missing: 'the operand' },
      { op: 'cos', operand: '', missing: 'the operator' },
    ]);
  });

  test('does not require what the list makes optional', () => {
    const { l2Pool2d: _, ...limits } = opSupportLimits;
    expect(shortfallsOf(operatorLimits(limits)).filter(({ op }) => op === 'l2Pool2d')).toEqual([]);
  });

  test('knows that the operand of isNaN has two names', () => {
    expect(shortfallsOf(LIMITS).filter(({ op }) => op === 'isNaN')).toEqual([]);
  });
});

test('a promise as text', () => {
  expect(promiseText(opSupportLimits.abs.input)).toBe('float32 float16 int32, rank 0-8');
  expect(promiseText(opSupportLimits.conv2d.filter)).toContain(', rank 4');
});

test('graphs at the edges of the promise are chosen, and all promised ones of the other parts', () => {
  const cases = [
    ...[0, 4, 8, 9].map((rank) => absCase('float32', rank)),
    absCase('uint8', 0),
    absCase('int32', 4, 'values'),
    absCase('float16', 4, 'ranks'),
  ];
  expect(casesFor(LIMITS, cases).map(({ name }) => name)).toEqual([
    'abs float32 rank 0',
    'abs float32 rank 8',
    'abs int32 rank 4',
    'abs float16 rank 4',
  ]);
});

test('the table is written from the list, comments and all', async () => {
  const { requirementsText } = await import(TOOL);
  const list =
    '// a comment\n{"b": {"input": {"dataTypes": ["float32", "int8"], "rankRange": {"min": 1, "max": 5}}}, "a": {"x": {"dataTypes": [], "rankRange": {}}}}';
  const text = requirementsText(list, 'abc');
  expect(text).toContain('minimum_datatype_set.json, abc');
  expect(text).toContain("  a: { x: needs('', 0, 0) },\n  b: { input: needs('float32 int8', 1, 5) },\n};");
});
