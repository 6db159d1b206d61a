import { describe, expect, it } from 'vitest';
import { Profile } from '../src/model_runner.js';

const run = (convMs: number) => [
  { nodeType: 'ADD', nodeName: 'sum', nodeExecMs: 1 },
  { nodeType: 'CONV_2D', nodeName: 'first', nodeExecMs: convMs },
  { nodeType: 'CONV_2D', nodeName: 'second', nodeExecMs: 2 },
];

describe('Profile', () => {
  it('is empty before a run', () => {
    expect(new Profile().lastRun).toEqual([]);
    expect(new Profile().summary()).toBe('');
  });

  it('keeps the last run, and sums up all of them, slowest first', () => {
    const profile = new Profile();
    profile.record(run(3));
    profile.record(run(5));
    expect(profile.lastRun).toEqual(run(5));
    expect(profile.summary().split('\n')).toEqual([
      'Nodes',
      '    avg ms    share   times  what',
      '     4.000   57.1 %       2  CONV_2D first',
      '     2.000   28.6 %       2  CONV_2D second',
      '     1.000   14.3 %       2  ADD sum',
      '',
      'Types of nodes',
      '    avg ms    share   times  what',
      '     3.000   85.7 %       4  CONV_2D',
      '     1.000   14.3 %       2  ADD',
      '',
    ]);
  });
});
