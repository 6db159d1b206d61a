import { describe, expect, it } from 'vitest';
import { InputTypeError, makeInputs } from '../benchmark/inputs.js';
import { compare } from '../benchmark/outputs.js';
import { type Candidate, runBenchmark } from '../benchmark/run_benchmark.js';
import { REFERENCE, type Runtime, runtimesFor } from '../benchmark/runtime.js';
import { ratios, spread } from '../benchmark/statistics.js';
import { storedMs } from '../benchmark/stored.js';
import type { Capabilities } from '../common/capabilities.js';

const THERE = { there: true, detail: '' };
const MISSING = { there: false, detail: 'not here' };
const NOTHING: Capabilities = {
  webnn: MISSING,
  webgpu: MISSING,
  webgl: MISSING,
  simd: THERE,
  relaxedSimd: MISSING,
  threads: MISSING,
  jspi: MISSING,
};

describe('spread', () => {
  it('computes the same quartiles as Python', () => {
    expect(spread([4, 1, 3, 2])).toEqual({ median: 2.5, low: 1.75, high: 3.25, min: 1, max: 4 });
    expect(spread([7])).toEqual({ median: 7, low: 7, high: 7, min: 7, max: 7 });
  });

  it('computes ratios round by round', () => {
    expect(ratios([2, 8, 6], [1, 2, 2]).median).toBe(3);
  });
});

describe('compare', () => {
  const reference = { names: ['a', 'b'], values: [Float32Array.of(0, 10), Float32Array.of(1, 1, 1)] };

  it('matches outputs by name, else by size', () => {
    const values = [Float32Array.of(1, 1, 2), Float32Array.of(0, 10)];
    expect(compare({ names: ['b', 'a'], values }, reference)).toEqual({ absolute: 1, relative: 1 });
    expect(compare({ names: ['y', 'x'], values }, reference)).toEqual({ absolute: 1, relative: 1 });
  });

  it('treats NaN as infinitely different', () => {
    const nan = { names: ['a', 'b'], values: [Float32Array.of(Number.NaN, 10), Float32Array.of(1, 1, 1)] };
    expect(compare(nan, reference)?.absolute).toBe(Number.POSITIVE_INFINITY);
    expect(compare(nan, nan)?.absolute).toBe(0);
  });

  it('does not compare outputs of different sizes', () => {
    expect(compare({ names: ['a'], values: [Float32Array.of(1)] }, reference)).toBeNull();
  });

  it('accepts all integer types', () => {
    const big = { names: ['a'], values: [BigInt64Array.of(3n)] };
    expect(compare(big, { names: ['a'], values: [Int32Array.of(1)] })).toEqual({ absolute: 2, relative: 2 });
  });
});

describe('storedMs', () => {
  const stored = { machine: 'one', ms: { tiny: { 'tflite-webnn/relaxed-simd': 3, 'litert.js/wasm': 4 } } };

  it('finds a runtime by its name here', () => {
    expect(storedMs(stored, 'tiny', 'tflite-webnn/cpu')).toBe(3);
    expect(storedMs(stored, 'tiny', 'litert.js/wasm')).toBe(4);
  });

  it('has nothing for other runtimes and models', () => {
    expect(storedMs(stored, 'tiny', 'tflite-webnn/webnn')).toBeNull();
    expect(storedMs(stored, 'own', 'tflite-webnn/cpu')).toBeNull();
  });
});

describe('makeInputs', () => {
  it('generates the same values of each type every time', () => {
    const infos = ['float32', 'uint8', 'int8', 'int64', 'bool'].map((dtype) => ({
      name: dtype,
      dtype,
      shape: [2, 50],
    }));
    const inputs = makeInputs(infos);
    expect(inputs.map((array) => (array as Uint8Array).length)).toEqual([100, 100, 100, 100, 100]);
    expect(inputs).toEqual(makeInputs(infos));
    expect(new Set(inputs[1] as Uint8Array).size).toBeGreaterThan(40);
  });

  it('rejects types that it cannot generate', () => {
    expect(() => makeInputs([{ name: 'words', dtype: 'string', shape: [1] }])).toThrow(InputTypeError);
  });
});

describe('runtimesFor', () => {
  it('returns the reason why a runtime is missing', () => {
    const runtimes = runtimesFor(NOTHING, 8);
    const there = runtimes.filter(({ missing }) => missing === null).map(({ name }) => name);
    expect(there).toEqual(['tflite-webnn/polyfill', REFERENCE, 'litert.js/wasm', 'tfjs-tflite/simd']);
    expect(runtimes[0]?.missing).toBe('no WebNN: not here');
    expect(runtimes.find(({ name }) => name === REFERENCE)?.loadOptions).toEqual({ device: 'cpu', numThreads: 1 });
  });

  it('has no single-threaded tfjs-tflite on an isolated page', () => {
    const runtimes = runtimesFor({ ...NOTHING, webnn: THERE, jspi: THERE, threads: THERE }, 8);
    expect(runtimes.filter(({ missing }) => missing !== null).map(({ name }) => name)).toEqual(['tfjs-tflite/simd']);
    expect(runtimes.find(({ name }) => name === 'tflite-webnn/cpu-threads')?.title).toContain('4 threads');
  });
});

describe('runBenchmark', () => {
  const log: string[] = [];
  const runtime = (name: string, missing: string | null = null): Runtime => ({
    name,
    title: name,
    library: 'litert',
    openOptions: {},
    loadOptions: {},
    missing,
  });
  const firstValues: Record<string, number> = { [REFERENCE]: 1, other: 1.5 };

  class Fake implements Candidate {
    constructor(readonly name: string) {}
    async load() {
      if (this.name === 'broken') throw new Error('no such op');
      return { ms: 5, report: null };
    }
    async firstRun() {
      return { ms: 7, outputs: { names: ['y'], values: [Float32Array.of(firstValues[this.name] ?? 0, 0)] } };
    }
    async turn(minMs: number) {
      if (minMs === 10) log.push(this.name);
      return this.name === 'other' ? 4 : 2;
    }
    dispose() {
      log.push(`end of ${this.name}`);
    }
  }

  it('interleaves the runtimes, and continues without those that fail', async () => {
    log.length = 0;
    const runtimes = [runtime(REFERENCE), runtime('other'), runtime('broken'), runtime('absent', 'not here')];
    const steps: number[] = [];
    const rows = await runBenchmark(runtimes, ({ name }) => new Fake(name), {
      rounds: 2,
      signal: new AbortController().signal,
      onProgress: ({ done, total }) => steps.push(done / total),
    });
    expect(log).toEqual([
      'end of broken',
      REFERENCE,
      'other',
      'other',
      REFERENCE,
      `end of ${REFERENCE}`,
      'end of other',
    ]);
    expect(rows.map(({ failure }) => failure)).toEqual([null, null, 'no such op', 'not here']);
    expect(rows[1]).toMatchObject({ turnsMs: [4, 4], loadMs: 5, firstRunMs: 7, ratio: { median: 2 } });
    expect(rows.map(({ difference }) => difference?.relative)).toEqual([0, 0.5, undefined, undefined]);
    expect(Math.max(...steps)).toBeLessThanOrEqual(1);
  });

  const silent = (name: string): Candidate => {
    const fake = new Fake(name);
    if (name === 'silent') fake.load = () => new Promise(() => undefined);
    return fake;
  };

  it('continues without a runtime that does not respond', async () => {
    const rows = await runBenchmark([runtime('silent'), runtime(REFERENCE)], ({ name }) => silent(name), {
      rounds: 1,
      signal: new AbortController().signal,
      timeoutMs: 20,
      onProgress: () => undefined,
    });
    expect(rows.map(({ failure }) => failure)).toEqual(['The runtime did not respond within 0.02 s.', null]);
  });

  it('stops while a runtime does not respond', async () => {
    const controller = new AbortController();
    const running = runBenchmark([runtime('silent')], ({ name }) => silent(name), {
      rounds: 1,
      signal: controller.signal,
      onProgress: () => undefined,
    });
    controller.abort();
    expect((await running).map(({ failure }) => failure)).toEqual([null]);
  });

  it('stops when aborted', async () => {
    const controller = new AbortController();
    const rows = await runBenchmark([runtime(REFERENCE)], ({ name }) => new Fake(name), {
      rounds: 100,
      signal: controller.signal,
      onProgress: ({ text }) => text.startsWith('Round 3') && controller.abort(),
    });
    expect(rows[0]?.turnsMs).toHaveLength(3);
  });
});
