import { expect, test } from 'vitest';
import { continueReport, newReport, reportOf } from '../src/run_report.js';
import { fakeWebnn } from './fake_webnn.js';
import { skipPauses } from './skip_pauses.js';

skipPauses();

const OPTIONS = { webnn: fakeWebnn().webnn, reference: null, cases: [], contexts: ['default'] };

test('measurements end in time and are continued', async () => {
  const state = newReport();
  let slices = 1;
  while ((await continueReport(state, { ...OPTIONS, budgetMs: 0 })) === 'unfinished') slices += 1;
  const report = reportOf(state, [], { browser: 'Fake 1', webnn: 'browser', created: '', userAgent: '' });
  expect(slices).toBeGreaterThan(1);
  expect(report.features.length).toBeGreaterThan(10);
  expect(report.fusion.length).toBeGreaterThan(10);
  // Of these operators the fake has only relu.
  const measured = report.speed.filter(({ failure }) => failure === null).map(({ operation }) => operation);
  expect(measured).toEqual(['relu, 200,704 elements']);
});

test('times can be left out', async () => {
  const state = newReport();
  expect(await continueReport(state, { ...OPTIONS, times: false })).toBe('finished');
  expect([state.speed, state.fusion]).toEqual([[], []]);
  expect(state.features?.length).toBeGreaterThan(10);
});

test('an aborted report is unfinished', async () => {
  const signal = AbortSignal.abort();
  expect(await continueReport(newReport(), { ...OPTIONS, signal })).toBe('unfinished');
});

test('a browser that creates no context any more is exhausted', async () => {
  const { webnn } = fakeWebnn();
  const state = newReport();
  await continueReport(state, { ...OPTIONS, webnn, budgetMs: -1 });
  const dead = { ...webnn, ml: { createContext: async () => Promise.reject(new Error('no')) } } as typeof webnn;
  expect(await continueReport(state, { ...OPTIONS, webnn: dead })).toBe('exhausted');
});
