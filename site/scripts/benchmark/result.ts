/** The result of a benchmark as a table, and as the JSON that visitors save. */

import { create } from '../common/dom.js';
import { formatDifference, formatMilliseconds } from '../common/format.js';
import { type Column, table } from '../common/table.js';
import type { ModelInfo, Row } from './run_benchmark.js';
import { REFERENCE } from './runtime.js';
import type { Spread } from './statistics.js';
import { type StoredTimes, storedMs } from './stored.js';

/** Origin of a result. */
export interface ResultOrigin {
  readonly model: string;
  readonly sizeBytes: number;
  readonly rounds: number;
  readonly started: string;
  readonly version: string;
}

/** @param stored - Times of another machine, shown next to these if it has the model; null for none. */
export function resultTable(
  { model, rounds }: ResultOrigin,
  rows: readonly Row[],
  stored: StoredTimes | null,
): HTMLElement {
  const milliseconds = (ms: number | null) => (ms === null ? '' : formatMilliseconds(ms));
  const columns: Column<Row>[] = [
    { title: 'Runtime', cell: ({ runtime }) => runtime.title, heading: true },
    { title: 'Median', cell: ({ ms }) => milliseconds(ms?.median ?? null), numeric: true },
    {
      title: 'Quartiles',
      cell: ({ ms }) => (ms === null ? '' : `${ms.low.toFixed(2)} – ${ms.high.toFixed(2)}`),
      numeric: true,
    },
    { title: 'Fastest', cell: ({ ms }) => milliseconds(ms?.min ?? null), numeric: true },
    { title: 'Ratio to the first', cell: ({ ratio }) => (ratio === null ? '' : ratioText(ratio)), numeric: true },
    { title: 'Output', cell: outputBadge },
    { title: 'Loading', cell: ({ loadMs }) => milliseconds(loadMs), numeric: true },
    { title: 'First run', cell: ({ firstRunMs }) => milliseconds(firstRunMs), numeric: true },
    ...(stored !== null && model in stored.ms ? storedColumns(stored, model) : []),
    { title: 'Execution', cell: ({ failure, info }) => failure ?? infoText(info) },
  ];
  return table(`${model}, ${rounds} rounds`, columns, rows);
}

function storedColumns(stored: StoredTimes, model: string): Column<Row>[] {
  const there = ({ runtime }: Row) => storedMs(stored, model, runtime.name);
  const ratio = (row: Row) => {
    const ms = there(row);
    return ms === null || row.ms === null ? '' : (row.ms.median / ms).toFixed(2);
  };
  const time = (row: Row) => {
    const ms = there(row);
    return ms === null ? '' : formatMilliseconds(ms);
  };
  return [
    { title: 'Stored machine', cell: time, numeric: true },
    { title: 'Here ÷ stored', cell: ratio, numeric: true },
  ];
}

/** Names the stored machine, if it has the model; null if not. */
export function storedNote({ model }: ResultOrigin, stored: StoredTimes | null): HTMLElement | null {
  if (stored === null || !(model in stored.ms)) return null;
  return create('p', { class: 'note', text: `Stored machine: ${stored.machine}. Below are all of its results.` });
}

/** The entire result as JSON. */
export function resultJson(origin: ResultOrigin, rows: readonly Row[]): string {
  const { userAgent, hardwareConcurrency } = navigator;
  const browser = { userAgent, hardwareConcurrency, crossOriginIsolated };
  const runtimes = rows.map(({ runtime, ...row }) => ({ name: runtime.name, ...row }));
  return JSON.stringify({ format: 1, ...origin, browser, reference: REFERENCE, runtimes }, null, 2);
}

function ratioText({ median, low, high }: Spread): string {
  return `${median.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}

/** The grades of docs/contributing/benchmarking.md that need no per-model tolerances. */
function outputBadge({ runtime, difference, firstRunMs }: Row): Node | string {
  if (runtime.name === REFERENCE && difference !== null) return badge('', 'reference');
  if (difference === null) return firstRunMs === null ? '' : badge('caution', 'not comparable');
  const { absolute, relative } = difference;
  if (absolute === 0) return badge('good', 'same bits');
  const text = `${formatDifference(relative)} of the range`;
  if (relative <= CLOSE) return badge('good', text);
  return relative <= WRONG_BEYOND ? badge('caution', text) : badge('bad', text);
}

/** Typical float32 rounding differences of an entire network. */
const CLOSE = 1e-3;
/** Beyond this, as in tools/bench/verdict.py, an output is wrong. */
const WRONG_BEYOND = 0.25;

function badge(kind: string, text: string): HTMLElement {
  return create('span', { class: `badge ${kind}`, text });
}

function infoText(info: ModelInfo | null): string {
  if (info?.executionMode === undefined) return '';
  const { executionMode, variant, threads, totals, webnn } = info;
  const nodes =
    totals === undefined || totals.delegatedNodes === 0 ? '' : `, ${totals.delegatedNodes} of ${totals.nodes} nodes`;
  const threadsText = (threads?.used ?? 1) > 1 ? `, ${threads?.used} threads` : '';
  return `${executionMode}${nodes}, ${variant}${threadsText}${webnn?.reason ? `; ${webnn.reason}` : ''}`;
}
