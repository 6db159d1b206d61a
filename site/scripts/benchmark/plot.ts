/** Box plot of the times: quartiles, median, and a line from the fastest to the slowest. */

import { create } from '../common/dom.js';
import { formatMilliseconds } from '../common/format.js';
import { svg } from '../common/svg.js';
import type { Row } from './run_benchmark.js';
import type { Spread } from './statistics.js';

const WIDTH = 1000;
const HEIGHT = 30;
/** Limits the axis to this multiple of the upper quartile: one slow round must not squeeze the others. */
const MAX_OVER_QUARTILE = 1.5;

/** A figure with a line for each runtime that has times; null if none has. */
export function timesFigure(rows: readonly Row[]): HTMLElement | null {
  const timed = rows.flatMap(({ runtime, ms }) => (ms === null ? [] : [{ runtime, ms }]));
  if (timed.length === 0) return null;
  const longest = Math.max(...timed.map(({ ms }) => Math.min(ms.max, ms.high * MAX_OVER_QUARTILE)));
  const lines = timed.map(({ runtime, ms }) => {
    const name = create('span', { text: runtime.title });
    const value = create('span', { class: 'times-value', text: formatMilliseconds(ms.median) });
    return create('div', { class: 'times' }, name, box(ms, longest, runtime.library === 'tflite_webnn'), value);
  });
  const caption =
    'Milliseconds per run; shorter is faster. A box spans the quartiles of the rounds, its mark is the median, the line spans the fastest to the slowest.';
  return create('figure', { class: 'times-figure' }, ...lines, create('figcaption', { class: 'note', text: caption }));
}

function box({ median, low, high, min, max }: Spread, longest: number, isOwn: boolean): SVGSVGElement {
  const x = (ms: number) => (Math.min(ms, longest) / longest) * (WIDTH - 4);
  const middle = HEIGHT / 2;
  return svg(
    'svg',
    {
      class: isOwn ? 'times-box times-own' : 'times-box',
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: 'none',
      'aria-hidden': 'true',
    },
    svg('line', { x1: x(min), x2: x(max), y1: middle, y2: middle }),
    svg('rect', { x: x(low), y: 4, width: Math.max(3, x(high) - x(low)), height: HEIGHT - 8 }),
    svg('line', { class: 'times-median', x1: x(median), x2: x(median), y1: 1, y2: HEIGHT - 1 }),
  );
}
