/** Creates tables. They scroll in their own frame, so that the page fits a phone. */

import { create } from './dom.js';

/** A column: its heading, and the content of its cells. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string | number | Node;
  /** Right-aligned, with tabular digits. Default: false. */
  readonly numeric?: boolean;
  /** The cells are row headings. Default: false. */
  readonly heading?: boolean;
}

/** More rows would keep the page busy; they are left out. */
export const MAX_ROWS = 5000;

/**
 * Creates a table in a scrolling frame.
 *
 * @param caption - Also the frame's label for screen readers.
 */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: Iterable<Row>): HTMLDivElement {
  const head = create('tr', {}, ...columns.map((column) => headCell(column)));
  const all = [...rows];
  const body = create('tbody', {}, ...all.slice(0, MAX_ROWS).map((row) => bodyRow(columns, row)));
  const text = all.length > MAX_ROWS ? `${caption}, of which the first ${MAX_ROWS} are shown` : caption;
  const element = create('table', {}, create('caption', { text }), create('thead', {}, head), body);
  // Focusable, so that the keyboard can scroll it.
  return create('div', { class: 'table-frame', tabindex: 0, role: 'region', 'aria-label': caption }, element);
}

/** The same; nothing where there are no rows. */
export function tableUnlessEmpty<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Node {
  return rows.length > 0 ? table(caption, columns, rows) : new DocumentFragment();
}

function headCell<Row>({ title, numeric }: Column<Row>): HTMLElement {
  return create('th', { scope: 'col', class: numeric ? 'number' : '', text: title });
}

function bodyRow<Row>(columns: readonly Column<Row>[], row: Row): HTMLElement {
  const cells = columns.map(({ cell, numeric, heading }) => {
    const value = cell(row);
    const content = value instanceof Node ? value : String(value);
    const attributes = { class: numeric ? 'number' : '' };
    return heading ? create('th', { ...attributes, scope: 'row' }, content) : create('td', attributes, content);
  });
  return create('tr', {}, ...cells);
}
