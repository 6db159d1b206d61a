/** The figures of a demo: labels and values. */

import { create } from '../common/dom.js';
import { formatMilliseconds } from '../common/format.js';
import type { RunClock } from './run_clock.js';

/** What has been loaded, and its times. */
export interface Timed {
  readonly loadMs: number;
  readonly clock: RunClock;
}

/** A `<dl class="figures">`. */
export class Figures {
  readonly #list: HTMLElement;
  readonly #values = new Map<string, HTMLElement>();

  constructor(list: HTMLElement) {
    this.#list = list;
  }

  /** Sets a figure, appended if new; `note` is small text after the value. */
  set(label: string, value: string, note = ''): void {
    const element = this.#values.get(label) ?? this.#add(label);
    element.replaceChildren(value, ...(note ? [' ', create('span', { class: 'note', text: note })] : []));
  }

  /** Removes a figure. */
  remove(label: string): void {
    this.#values.get(label)?.parentElement?.remove();
    this.#values.delete(label);
  }

  /** Shows the models' times so far. */
  showTimes({ loadMs, clock: { firstMs, medianMs, count } }: Timed): void {
    this.set('Loading', formatMilliseconds(loadMs));
    if (firstMs !== null) this.set('First inference', formatMilliseconds(firstMs));
    if (medianMs !== null) this.set('Median', formatMilliseconds(medianMs), `of ${count}`);
  }

  /** Removes all figures. */
  clear(): void {
    this.#values.clear();
    this.#list.replaceChildren();
  }

  #add(label: string): HTMLElement {
    const element = create('dd');
    this.#values.set(label, element);
    this.#list.append(create('div', {}, create('dt', { text: label }), element));
    return element;
  }
}
