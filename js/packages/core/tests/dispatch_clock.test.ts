import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DispatchClock } from '../src/webnn/graph_executor.js';

describe('DispatchClock', () => {
  let now = 0;
  let clock: DispatchClock;

  beforeEach(() => {
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    clock = new DispatchClock();
  });

  /** A dispatch at `from` whose results have arrived at `to`. */
  function measure(graph: number, from: number, to: number): void {
    now = from;
    clock.start(graph);
    now = to;
    clock.finish();
  }

  it('has the last time of a graph and the mean', () => {
    measure(0, 100, 120);
    expect(clock.timesOf(0)).toEqual({ count: 1, last: 20, mean: 20 });
    measure(0, 200, 210);
    expect(clock.timesOf(0)).toEqual({ count: 2, last: 10, mean: 15 });
    expect(clock.timesOf(1)).toBeNull();
  });

  it('measures from the first of several dispatches, for the last', () => {
    now = 10;
    clock.start(0);
    now = 15;
    clock.start(1);
    now = 30;
    clock.finish();
    expect(clock.timesOf(0)).toBeNull();
    expect(clock.timesOf(1)).toEqual({ count: 1, last: 20, mean: 20 });
  });

  it('counts a dispatch once', () => {
    measure(1, 10, 20);
    clock.finish();
    expect(clock.timesOf(1)?.count).toBe(1);
  });

  it('measures nothing without a dispatch', () => {
    clock.finish();
    expect([-1, 0, 1].map((graph) => clock.timesOf(graph))).toEqual([null, null, null]);
  });

  it('measures nothing of which nothing was read', () => {
    now = 10;
    clock.start(1);
    now = 20;
    clock.finish(false);
    clock.finish();
    expect(clock.timesOf(1)).toBeNull();
  });

  it('forgets a dispatch that is dropped, and when it began', () => {
    now = 10;
    clock.start(1);
    clock.drop();
    clock.finish();
    expect(clock.timesOf(1)).toBeNull();
    measure(1, 50, 60);
    expect(clock.timesOf(1)).toEqual({ count: 1, last: 10, mean: 10 });
  });
});
