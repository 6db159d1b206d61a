/** Tables made by scripts. They scroll by themselves, so that a phone's page does not. */

import { create } from './dom.js';

/** A column: what its head says, and what of a row its cells show. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string | number | Node;
  /** Aligned at the right, with digits of one width. Default: false. */
  readonly numeric?: boolean;
  /** Cells name their row. Default: false. */
  readonly heading?: boolean;
}

/**
 * Makes a table in a frame that scrolls.
 *
 * @param caption - What it shows; screen readers read it first.
 */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: Iterable<Row>): HTMLDivElement {
  const head = create('tr', {}, ...columns.map((column) => headCell(column)));
  const body = create('tbody', {}, ...Array.from(rows, (row) => bodyRow(columns, row)));
  const element = create('table', {}, create('caption', { text: caption }), create('thead', {}, head), body);
  // Focusable: else nobody without a mouse could scroll it.
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
