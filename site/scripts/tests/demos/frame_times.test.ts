import { describe, expect, it } from 'vitest';
import { FrameTimes, STAGE_TITLES } from '../../demos/frame_times.js';

describe('FrameTimes', () => {
  it('has frames a second, milliseconds a frame, and shares', () => {
    let now = 1000;
    const times = new FrameTimes(() => now);
    times.add({ image: 1, model: 5, decoding: 0, drawing: 4 });
    times.add({ image: 3, model: 5, decoding: 0, drawing: 2 });
    now += 100;
    expect([times.passedMs, times.rate]).toEqual([100, 20]);
    expect(times.shares).toEqual([
      { title: 'Image to tensor', ms: 2, share: 0.2 },
      { title: 'Model', ms: 5, share: 0.5 },
      { title: 'Decoding', ms: 0, share: 0 },
      { title: 'Drawing', ms: 3, share: 0.3 },
    ]);
    expect(times.shares.map(({ title }) => title)).toEqual(STAGE_TITLES);
  });

  it('begins again', () => {
    let now = 0;
    const times = new FrameTimes(() => now);
    times.add({ image: 1, model: 1, decoding: 1, drawing: 1 });
    times.reset();
    now += 10;
    expect(times.rate).toBe(0);
    expect(times.shares.every(({ ms, share }) => ms === 0 && share === 0)).toBe(true);
  });
});
