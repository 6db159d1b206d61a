/** Ops page: a filter over the tables, which the static HTML already has. */

import './site.js';
import { byId } from './common/dom.js';
import { formatCount } from './common/format.js';

const ops = byId('op-tables', HTMLElement);
const rows = [...ops.querySelectorAll('tbody tr')].map((row) => ({
  row: row as HTMLTableRowElement,
  text: (row.textContent ?? '').toLowerCase(),
}));

ops.querySelector('.table-frame')?.before(byId('filter-template', HTMLTemplateElement).content.cloneNode(true));
const input = byId('filter', HTMLInputElement);
const count = byId('filter-count', HTMLElement);

function filter(): void {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const { row, text } of rows) row.hidden = !words.every((word) => text.includes(word));
  const shown = rows.filter(({ row }) => !row.hidden).length;
  count.textContent = words.length > 0 ? `${formatCount(shown)} of ${formatCount(rows.length)} ops` : '';
}

input.addEventListener('input', filter);
filter();
