import { expect, test } from 'vitest';
import type { ProbeCase } from '../src/probe_case.js';
import { continueProbeRun, newProbeRun, type ProbeRunOptions } from '../src/probe_run.js';
import { contextReports } from '../src/run_report.js';
import { fakeWebnn } from './fake_webnn.js';
import { skipPauses } from './skip_pauses.js';

skipPauses();

const ONE = btoa(String.fromCharCode(...new Uint8Array(Float32Array.of(1).buffer)));
const INPUT = { id: 0, name: 'x0', dataType: 'float32', shape: [1], data: ONE };

function caseOf(op: string, about: string, expected: ProbeCase['expected'] = [INPUT]): ProbeCase {
  return {
    name: `${op} ${about}`,
    part: 'values',
    graph: { inputs: [INPUT], constants: [], operators: [{ op, args: [{ operand: 0 }] }] },
    operands: [{ name: 'input', dataType: 'float32', rank: 1 }],
    expected,
    tolerance: { ulps: 0, floor: 0 },
  };
}

const CASES = [
  caseOf('crashing', 'first'),
  caseOf('crashing', 'second'),
  caseOf('works', 'one'),
  caseOf('wrong', 'one'),
  caseOf('rejected', 'one'),
];

function options(changes: Partial<ProbeRunOptions> = {}): ProbeRunOptions {
  return { webnn: fakeWebnn().webnn, reference: null, cases: CASES, contexts: ['default'], ...changes };
}

test('each case gets its outcome, and an operator crashes only once', async () => {
  const state = newProbeRun();
  expect(await continueProbeRun(state, options())).toBe(true);
  const outcomes = Object.entries(state.contexts.default?.verdicts ?? {}).map(([name, { outcome }]) => [name, outcome]);
  expect(Object.fromEntries(outcomes)).toEqual({
    'crashing first': 'crashes',
    'crashing second': 'untried',
    'works one': 'works',
    'wrong one': 'wrong',
    'rejected one': 'rejected',
  });
  expect(state.finished).toBe(true);
});

test('with everyCase, an operator continues after it has crashed', async () => {
  const state = newProbeRun();
  await continueProbeRun(state, options({ everyCase: true }));
  expect(state.contexts.default?.verdicts['crashing second']?.outcome).toBe('crashes');
});

test('a result that the specification does not determine is not compared', async () => {
  const state = newProbeRun();
  const cases = [caseOf('wrong', 'division by zero', null), caseOf('rejected', 'division by zero', null)];
  await continueProbeRun(state, options({ cases, reference: fakeWebnn().webnn }));
  const outcomes = Object.values(state.contexts.default?.verdicts ?? {}).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['works', 'rejected']);
});

test('operators that are known to crash run last', async () => {
  const { webnn, calls } = fakeWebnn();
  await continueProbeRun(newProbeRun(), options({ webnn, crashingOps: new Set(['crashing']) }));
  expect(calls).toEqual(['works', 'wrong', 'crashing']);
});

test('a browser that creates no context any more leaves a state that another one finishes', async () => {
  const state = newProbeRun();
  const cases = ['a', 'b', 'c'].map((name) => ({ ...caseOf('crashing', name), name: `${name} of another operator` }));
  expect(await continueProbeRun(state, options({ cases: [...cases, caseOf('works', 'last')] }))).toBe(false);
  expect(state.finished).toBe(false);
  const saved = JSON.parse(JSON.stringify(state));
  expect(await continueProbeRun(saved, options({ cases: [...cases, caseOf('works', 'last')] }))).toBe(true);
  expect(saved.contexts.default.verdicts['works last']).toEqual({ outcome: 'works' });
});

test('the case on which a page crashed is blamed', async () => {
  const state = newProbeRun();
  await continueProbeRun(state, options({ budgetMs: -1 }));
  state.running = { context: 'default', name: 'works one' };
  await continueProbeRun(state, options());
  expect(state.contexts.default?.verdicts['works one']).toEqual({
    outcome: 'crashes',
    message: 'the page crashed, too',
  });
});

test('a slice ends in time, and what runs is noted before', async () => {
  const state = newProbeRun();
  const noted: string[] = [];
  await continueProbeRun(state, options({ budgetMs: -1, beforeEach: ({ name }) => void noted.push(name) }));
  expect(noted).toEqual([]);
  expect(state.finished).toBe(false);
  await continueProbeRun(state, options({ beforeEach: ({ name }) => void noted.push(name) }));
  expect(noted).toEqual(CASES.map(({ name }) => name));
});

test('a result without numpy is compared with the reference', async () => {
  const state = newProbeRun();
  const cases = [caseOf('wrong', 'edge', []), caseOf('works', 'edge', [])];
  await continueProbeRun(state, options({ cases, reference: fakeWebnn().webnn }));
  // Both fakes are wrong in the same way.
  expect(Object.values(state.contexts.default?.verdicts ?? {})).toEqual([{ outcome: 'works' }, { outcome: 'works' }]);
});

test('contexts of the same limits and devices run once', async () => {
  const state = newProbeRun();
  await continueProbeRun(state, options({ contexts: ['default', 'gpu'] }));
  const [first, second] = contextReports(state, CASES);
  expect(second).toMatchObject({ name: 'gpu', sameAs: 'default', operators: [], shortfalls: [] });
  expect(first?.operators.find(({ op }) => op === 'crashing')).toEqual({
    op: 'crashing',
    promise: { input: 'float32, rank 1', output: 'float32, rank 1' },
    edges: {},
    values: { crashes: 1, untried: 1 },
    bugs: [
      { outcome: 'crashes', stage: 'build', message: 'connection error', graphs: 1, examples: ['first'] },
      { outcome: 'untried', stage: '', message: 'after crashing first', graphs: 1, examples: ['second'] },
    ],
  });
});
