/** Ops page: a filter over the tables, which the static HTML already has. */

import './site.js';
import { byId } from './common/dom.js';
import { formatCount } from './common/format.js';

const ops = byId('op-tables', HTMLElement);
const rows = [...ops.querySelectorAll('tbody tr')].map((row) => ({
  row: row as HTMLTableRowElement,
  text: (row.textContent ?? '').toLowerCase(),
}));

const frames = [...ops.querySelectorAll<HTMLElement>('.table-frame')];

frames[0]?.before(byId('filter-template', HTMLTemplateElement).content.cloneNode(true));
const input = byId('filter', HTMLInputElement);
const count = byId('filter-count', HTMLElement);

function filter(): void {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const { row, text } of rows) row.hidden = !words.every((word) => text.includes(word));
  const shown = rows.filter(({ row }) => !row.hidden).length;
  for (const frame of frames) frame.hidden = frame.querySelector('tbody tr:not([hidden])') === null;
  const text = shown > 0 ? `${formatCount(shown)} of ${formatCount(rows.length)} ops` : 'No op has these words.';
  count.textContent = words.length > 0 ? text : '';
}

input.addEventListener('input', filter);
filter();
