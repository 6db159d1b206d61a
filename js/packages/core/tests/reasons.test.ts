import { describe, expect, it, vi } from 'vitest';
import { sharedReasons, shortName, withShortNames } from '../src/report/render_report.js';

describe('shortName', () => {
  it('keeps the ends of a long name', () => {
    expect(shortName('x'.repeat(60))).toBe('x'.repeat(60));
    const short = shortName(`begin${'-'.repeat(1700)}end`);
    expect(short).toHaveLength(60);
    expect(short).toMatch(/^begin-+…-+end$/);
  });
});

describe('withShortNames', () => {
  it('shortens the names of tensors only', () => {
    const text = `tensor 7 '${'n'.repeat(100)}' and '${'m'.repeat(100)}'`;
    expect(withShortNames(text)).toBe(`tensor 7 '${'n'.repeat(30)}…${'n'.repeat(29)}' and '${'m'.repeat(100)}'`);
  });
});

describe('sharedReasons', () => {
  it('makes one of reasons that name different tensors, nodes or times', () => {
    expect(
      sharedReasons([
        'rare',
        "tensor 1 'a' has rank 5",
        'takes about 0.15 ms, saves 0.01 ms',
        'node 3 stays',
        "tensor 2 'b' has rank 5",
        'takes about 0.24 ms, saves 0.01 ms',
        'node 4 stays',
        'takes about 0.18 ms, saves 0.01 ms',
      ]),
    ).toEqual([
      { count: 3, text: 'takes about 0.15 to 0.24 ms, saves 0.01 ms' },
      { count: 2, text: "a tensor (such as tensor 1 'a') has rank 5" },
      { count: 2, text: 'a node (such as node 3) stays' },
      { count: 1, text: 'rare' },
    ]);
  });

  it('shortens the names of examples, and keeps equal times as they are written', () => {
    const reasons = ['x', 'y'].map((end) => `tensor 1 '${'n'.repeat(100)}${end}' takes 0.1 ms`);
    const short = `tensor 1 '${'n'.repeat(30)}…${'n'.repeat(28)}x'`;
    expect(sharedReasons(reasons)).toEqual([{ count: 2, text: `a tensor (such as ${short}) takes 0.1 ms` }]);
  });

  it('keeps what all of them name', () => {
    const reason = "node 3, which reads tensor 1 'a', stays";
    expect(sharedReasons([reason, reason])).toEqual([{ count: 2, text: reason }]);
  });

  it('keeps separate what differs in other numbers', () => {
    expect(sharedReasons(['rank 5', 'rank 6'])).toHaveLength(2);
  });

  it('looks at each reason a few times, however much it names', () => {
    const match = vi.spyOn(String.prototype, 'match');
    const reason = Array.from({ length: 100 }, (_, index) => `node ${index}`).join(' ');
    expect(sharedReasons(Array<string>(200).fill(reason))).toEqual([{ count: 200, text: reason }]);
    expect(match.mock.calls.length).toBeLessThanOrEqual(3 * 200);
    match.mockRestore();
  });

  it('reads the digits of a name once', () => {
    const reason = `tensor 1 'a'${'1'.repeat(500_000)}' takes 0.1 ms`; // half a minute and more, if each begins a number
    expect(sharedReasons([reason, reason])).toEqual([{ count: 2, text: reason }]);
  });

  it('accepts more reasons than a call has arguments', () => {
    const reasons = Array.from({ length: 200_000 }, (_, index) => `takes 0.${index % 10} ms`);
    expect(sharedReasons(reasons)).toEqual([{ count: 200_000, text: 'takes 0.00 to 0.90 ms' }]);
  });
});
