/** Median times as bars. */

import { create } from '../common/dom.js';
import { formatMilliseconds } from '../common/format.js';

/** A bar. */
export interface Bar {
  readonly title: string;
  readonly ms: number;
}

/** Fills a `<dl class="bars">`; the longest time is the full width. */
export function showBars(list: HTMLElement, bars: readonly Bar[]): void {
  const longest = Math.max(...bars.map(({ ms }) => ms));
  const rows = bars.flatMap(({ title, ms }) => {
    const bar = create('span', { class: 'bar' });
    bar.style.width = `calc((100% - 5.5rem) * ${ms / longest})`; // the time stands next to it
    return [create('dt', { text: title }), create('dd', {}, bar, create('span', { text: formatMilliseconds(ms) }))];
  });
  list.replaceChildren(...rows);
}

/** `WebNN is 1.4 times as fast here.` */
export function ratioText(one: Bar, other: Bar): string {
  const [fast, slow] = one.ms <= other.ms ? [one, other] : [other, one];
  const ratio = (slow.ms / fast.ms).toFixed(1);
  if (ratio === '1.0') return `${one.title} and ${other.title} are equally fast here.`;
  const subject = fast.title.charAt(0).toUpperCase() + fast.title.slice(1);
  return `${subject} is ${ratio} times as fast as ${slow.title} here.`;
}
