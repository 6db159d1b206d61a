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

/**
 * Creates a table in a scrolling frame.
 *
 * @param caption - Also the frame's label for screen readers.
 */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: Iterable<Row>): HTMLDivElement {
  const head = create('tr', {}, ...columns.map((column) => headCell(column)));
  const body = create('tbody', {}, ...Array.from(rows, (row) => bodyRow(columns, row)));
  const element = create('table', {}, create('caption', { text: caption }), create('thead', {}, head), body);
  // Focusable, so that the keyboard can scroll it.
  return create('div', { class: 'table-frame', tabindex: 0, role: 'region', 'aria-label': caption }, element);
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
