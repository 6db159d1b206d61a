import type { ModelReport } from 'tflite-webnn';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { whereItRan } from '../../common/where_it_ran.js';
import type { Net } from '../../demos/net.js';
import { PITCH_RATE_HZ } from '../../demos/pitch_windows.js';
import { median, RunClock } from '../../demos/run_clock.js';
import { synthesise, TUNES, wavFile } from '../../demos/synthesis.js';
import { colourOf, cssColour } from '../../vision/colours.js';

afterEach(() => {
  vi.useRealTimers();
});

function sleeping(milliseconds: number): Net {
  const run = async () => {
    vi.advanceTimersByTime(milliseconds);
    return [];
  };
  return { inputs: [], outputs: [], signatures: [], run };
}

describe('RunClock', () => {
  it('adds up the nets of a lap, and separates the first lap from the median of the others', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const clock = new RunClock();
    const [one, other] = [clock.timed(sleeping(10)), clock.timed(sleeping(5))];
    for (const runs of [3, 1, 2, 1]) {
      for (let run = 0; run < runs; run++) await one.run(new Float32Array());
      await other.run(new Float32Array());
      clock.lap();
    }
    expect([clock.firstMs, clock.medianMs, clock.count]).toEqual([35, 15, 3]);
  });

  it('accepts laps that were timed elsewhere', () => {
    const clock = new RunClock();
    for (const ms of [9, 1, 3]) clock.add(ms);
    expect([clock.firstMs, clock.medianMs, clock.count]).toEqual([9, 2, 2]);
  });

  it('discards a failed lap', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const clock = new RunClock();
    await clock.timed(sleeping(10)).run(new Float32Array());
    clock.discard();
    clock.lap();
    expect([clock.firstMs, clock.medianMs]).toEqual([0, null]);
  });
});

describe('median', () => {
  it('is the middle value, or the mean of the two middle values', () => {
    expect(median([3, 1, 9])).toBe(3);
    expect(median([4, 1, 9, 2])).toBe(3);
  });
});

describe('whereItRan', () => {
  const report = (executionMode: string, delegatedNodes: number, webnn: object) =>
    ({
      executionMode,
      totals: { nodes: 10, delegatedNodes },
      webnn,
      variant: 'simd-threads',
      threads: { used: 2 },
    }) as unknown as ModelReport;

  it('distinguishes WebNN, the polyfill and partial delegation', () => {
    const browser = { requested: true, backend: null, reason: null };
    expect(whereItRan('net', report('direct', 10, browser))).toEqual({
      model: 'net',
      nodes: 'all 10 on WebNN',
      engine: 'the browser’s WebNN',
      module: 'simd-threads, 2 threads',
    });
    const polyfill = { ...browser, backend: 'polyfill 0.1.0, tflite' };
    expect(whereItRan('net', report('stepped', 7, polyfill))).toMatchObject({
      nodes: '7 of 10 on WebNN, the others on the CPU',
      engine: 'polyfill 0.1.0, tflite',
    });
  });

  it('returns the reason why requested WebNN is not used', () => {
    const rejected = { requested: true, backend: null, reason: 'the browser has no WebNN' };
    expect(whereItRan('net', report('cpu', 0, rejected)).engine).toBe('XNNPACK, not WebNN: the browser has no WebNN');
    const cpu = { requested: false, backend: null, reason: null };
    expect(whereItRan('net', report('cpu', 0, cpu))).toMatchObject({ nodes: 'all 10 on the CPU', engine: 'XNNPACK' });
  });
});

describe('wavFile', () => {
  it('has a header of 44 bytes and 16 bits per sample, clipped', () => {
    const view = new DataView(wavFile(Float32Array.of(0, 1, -2), 8000));
    const characters = (offset: number) => String.fromCharCode(...new Uint8Array(view.buffer, offset, 4));
    expect([characters(0), characters(8), characters(36)]).toEqual(['RIFF', 'WAVE', 'data']);
    expect([view.getUint32(4, true), view.getUint32(24, true), view.getUint32(40, true)]).toEqual([42, 8000, 6]);
    expect([44, 46, 48].map((offset) => view.getInt16(offset, true))).toEqual([0, 32_767, -32_767]);
  });
});

describe('synthesise', () => {
  it('plays to the last note and does not clip', async () => {
    const [chords] = TUNES;
    const file = await synthesise(chords as (typeof TUNES)[number]).arrayBuffer();
    const samples = new Int16Array(file, 44);
    expect(samples.length / PITCH_RATE_HZ).toBeCloseTo(0.3 + 2 * 1.6 + 1.2 + 0.5, 2);
    expect(samples.reduce((max, sample) => Math.max(max, sample), 0)).toBeLessThan(32_767);
  });
});

describe('colourOf', () => {
  it('assigns distinct colours to neighbours', () => {
    const colours = new Set(Array.from({ length: 21 }, (_, index) => cssColour(colourOf(index))));
    expect(colours.size).toBe(21);
    expect(cssColour([1, 2, 3])).toBe('rgb(1 2 3)');
  });
});
