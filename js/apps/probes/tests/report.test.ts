import { expect, test } from 'vitest';
import { differencesOf } from '../src/compare_reports.js';
import { isFused } from '../src/fusion.js';
import { crashingOpsOf, KNOWN_BUGS } from '../src/known_bugs.js';
import { type OperatorReport, ReportError, readReport, reportText, type WebnnReport } from '../src/report.js';
import { REQUIREMENTS } from '../src/requirements.js';

const OPERATOR: OperatorReport = {
  op: 'abs',
  promise: { input: 'float32, rank 0-5' },
  edges: { works: 2 },
  values: { works: 9, wrong: 1 },
  bugs: [{ outcome: 'wrong', stage: 'run', message: '1 of 2 differ', graphs: 1, examples: ['large'] }],
};
const FUSED = { pattern: 'add', ms: 1, unfusedMs: 2, differing: 0, elements: 4, failure: null };

function report(changes: Partial<WebnnReport> = {}, operator: Partial<OperatorReport> = {}): WebnnReport {
  const about = { options: {}, rejected: null, sameAs: null, devices: ['cpu'], accelerated: false };
  const shortfalls = [{ op: 'abs', operand: 'input', missing: 'float16' }];
  return {
    format: 1,
    created: '2026-11-22T10:00:00Z',
    browser: 'Chromium 147',
    userAgent: 'test',
    webnn: 'browser',
    requirements: 'abc',
    contexts: [{ name: 'default', ...about, shortfalls, operators: [{ ...OPERATOR, ...operator }] }],
    speed: [{ operation: 'add', ms: 1, polyfillMs: 2, failure: null }],
    fusion: [FUSED],
    features: [{ feature: 'MLTensor', there: true, detail: '' }],
    ...changes,
  };
}

test('a report is one row a line, and reads back', () => {
  const text = reportText(report());
  expect(readReport(text)).toEqual(report());
  expect(text.split('\n').filter((line) => line.startsWith('{"op":"abs"'))).toHaveLength(2); // the shortfall, the operator
  expect(readReport(reportText(report({ contexts: [], speed: [] })))).toEqual(report({ contexts: [], speed: [] }));
});

test.each([
  ['not JSON', 'hello', 'this file is not JSON'],
  ['another file', '{"format": 1}', 'not a WebNN report of format 1'],
  ['another format', '{"format": 2, "contexts": []}', 'not a WebNN report of format 1'],
])('%s is rejected', (_, text, message) => {
  expect(() => readReport(text)).toThrow(ReportError);
  expect(() => readReport(text)).toThrow(message);
});

test('the same reports do not differ, whatever their times', () => {
  expect(differencesOf(report(), report({ speed: [] }))).toEqual([]);
});

test('promises, results, features and fusions that differ are listed', () => {
  const after = report(
    { features: [{ feature: 'MLTensor', there: false, detail: '' }], fusion: [{ ...FUSED, ms: 2 }] },
    { promise: { input: 'float32, rank 0-8' }, values: { works: 10 } },
  );
  expect(differencesOf(report(), after)).toEqual([
    { where: 'default: abs', what: 'promise', before: 'input: float32, rank 0-5', after: 'input: float32, rank 0-8' },
    { where: 'default: abs', what: 'values', before: '9 works, 1 wrong', after: '10 works' },
    { where: 'MLTensor', what: 'feature', before: 'yes', after: 'no' },
    { where: 'add', what: 'fusion', before: 'yes', after: 'no' },
  ]);
});

test('a context that one browser rejects differs', () => {
  const [context] = report().contexts;
  const rejected = { ...(context as NonNullable<typeof context>), rejected: 'NotSupportedError', operators: [] };
  expect(differencesOf(report(), report({ contexts: [rejected] }))).toEqual([
    { where: 'default', what: 'context', before: 'a context', after: 'NotSupportedError' },
  ]);
});

test('a pattern is fused if it is faster or has other bits', () => {
  expect(isFused(FUSED)).toBe(true);
  expect(isFused({ ...FUSED, ms: 1.9 })).toBe(false);
  expect(isFused({ ...FUSED, ms: 1.9, differing: 3 })).toBe(true);
  expect(isFused({ ...FUSED, ms: null })).toBeNull();
});

test('known bugs are of known operators, and those that crash one version count as crashing in all', () => {
  for (const { ops } of KNOWN_BUGS) expect(Object.keys(REQUIREMENTS)).toEqual(expect.arrayContaining([...ops]));
  expect(crashingOpsOf('Chromium 150.0')).toEqual(
    new Set(KNOWN_BUGS.flatMap((one) => (one.outcome === 'crashes' ? one.ops : []))),
  );
  expect(crashingOpsOf('Firefox 153')).toEqual(new Set());
});
