/** Shows a report as tables. */

import {
  type ContextReport,
  countsText,
  type Difference,
  fusedText,
  isFused,
  type WebnnReport,
} from '../../../js/apps/probes/src/index.js';
import { create } from '../common/dom.js';
import { formatCount, formatMilliseconds } from '../common/format.js';
import { table } from '../common/table.js';

/** All tables of a report. */
export function reportTables(report: WebnnReport): Node[] {
  return [
    contextTable(report),
    ...report.contexts.filter(({ operators }) => operators.length > 0).flatMap(contextDetails),
    ...section('Features', report.features.length, () => featureTable(report)),
    ...section('Fusion of quantized patterns', report.fusion.length, () => fusionTable(report)),
    ...section('Speed', report.speed.length, () => speedTable(report)),
  ];
}

/** The table of what differs between two reports. */
export function differenceTable(before: WebnnReport, after: WebnnReport, rows: readonly Difference[]): Node {
  if (rows.length === 0) return create('p', { text: 'The reports do not differ, except perhaps in their times.' });
  const columns = [
    { title: 'where', cell: ({ where }: Difference) => where, heading: true },
    { title: 'what', cell: ({ what }: Difference) => what },
    { title: titleOf(before), cell: (row: Difference) => row.before },
    { title: titleOf(after), cell: (row: Difference) => row.after },
  ];
  return table(`${formatCount(rows.length)} differences`, columns, rows);
}

function titleOf({ browser, webnn, created }: WebnnReport): string {
  return `${browser}${webnn === 'browser' ? '' : `, ${webnn}`}, ${created.slice(0, 10)}`;
}

function section(title: string, rows: number, createTable: () => Node): Node[] {
  return rows === 0 ? [] : [create('h3', { text: title }), createTable()];
}

function contextTable({ contexts }: WebnnReport): Node {
  return table(
    'Contexts',
    [
      { title: 'createContext()', cell: ({ name }: ContextReport) => name, heading: true },
      { title: 'result', cell: stateText },
      { title: 'devices', cell: ({ devices }) => devices?.join(', ') ?? 'not reported' },
      { title: 'operators', cell: ({ operators }) => operators.length || '', numeric: true },
      {
        title: 'required, not promised',
        cell: ({ shortfalls, operators }) => (operators.length ? shortfalls.length : ''),
        numeric: true,
      },
      {
        title: 'graphs that fail',
        cell: (context) => (context.operators.length ? failuresText(context) : ''),
        numeric: true,
      },
    ],
    contexts,
  );
}

function stateText({ rejected, sameAs }: ContextReport): string {
  return rejected ?? (sameAs === null ? 'a context' : `the same limits and devices as ${sameAs}`);
}

function failuresText({ operators }: ContextReport): string {
  const graphs = operators.flatMap(({ edges, values }) => [...Object.values(edges), ...Object.values(values)]);
  const failed = operators.flatMap(({ bugs }) => bugs.map((bug) => bug.graphs));
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return `${formatCount(sum(failed))} of ${formatCount(sum(graphs))}`;
}

function contextDetails(context: ContextReport): Node[] {
  const bugs = context.operators.flatMap(({ op, bugs }) => bugs.map((bug) => ({ op, ...bug })));
  return [
    ...section(`Required by the specification and not promised: ${context.name}`, context.shortfalls.length, () =>
      table(
        'Types and ranks',
        [
          { title: 'operator', cell: ({ op }) => op, heading: true },
          { title: 'operand', cell: ({ operand }) => operand },
          { title: 'missing', cell: ({ missing }) => missing },
        ],
        context.shortfalls,
      ),
    ),
    ...section(`Promised, but failing: ${context.name}`, bugs.length, () =>
      table(
        'Graphs',
        [
          { title: 'operator', cell: ({ op }) => op, heading: true },
          { title: 'outcome', cell: ({ outcome, stage }) => (stage ? `${outcome} (${stage})` : outcome) },
          { title: 'graphs', cell: ({ graphs }) => graphs, numeric: true },
          { title: 'first message', cell: ({ message }) => message },
          { title: 'examples', cell: ({ examples }) => examples.join('; ') },
        ],
        bugs,
      ),
    ),
    create('h3', { text: `Operators: ${context.name}` }),
    table(
      'Promises and results',
      [
        { title: 'operator', cell: ({ op }) => op, heading: true },
        { title: 'promise', cell: ({ promise }) => promiseList(promise) },
        { title: 'edges of the promise', cell: ({ edges }) => countsText(edges) },
        { title: 'values', cell: ({ values }) => countsText(values) },
      ],
      context.operators,
    ),
  ];
}

function promiseList(promise: Readonly<Record<string, string>>): Node {
  const lines = Object.entries(promise).map(([operand, text]) => create('div', { text: `${operand}: ${text}` }));
  return create('div', { class: 'promise' }, ...lines);
}

function featureTable({ features }: WebnnReport): Node {
  return table(
    'Features',
    [
      { title: 'feature', cell: ({ feature }) => feature, heading: true },
      { title: 'there', cell: ({ there }) => badge(there, there ? 'yes' : 'no') },
      { title: 'detail', cell: ({ detail }) => detail },
    ],
    features,
  );
}

function fusionTable({ fusion }: WebnnReport): Node {
  return table(
    'dequantizeLinear, operator, quantizeLinear in int8',
    [
      { title: 'pattern', cell: ({ pattern }) => pattern, heading: true },
      { title: 'one kernel', cell: (row) => badge(isFused(row) === true, fusedText(isFused(row))) },
      { title: 'pattern', cell: ({ ms }) => time(ms), numeric: true },
      { title: 'unfused', cell: ({ unfusedMs }) => time(unfusedMs), numeric: true },
      {
        title: 'elements that differ',
        cell: ({ differing, elements }) =>
          differing === null ? '' : `${formatCount(differing)} of ${formatCount(elements ?? 0)}`,
        numeric: true,
      },
      { title: 'failure', cell: ({ failure }) => failure ?? '' },
    ],
    fusion,
  );
}

function speedTable({ speed }: WebnnReport): Node {
  return table(
    'Times of a run, interleaved',
    [
      { title: 'operator', cell: ({ operation }) => operation, heading: true },
      { title: 'this WebNN', cell: ({ ms }) => time(ms), numeric: true },
      { title: 'polyfill', cell: ({ polyfillMs }) => time(polyfillMs), numeric: true },
      {
        title: 'polyfill / this',
        cell: ({ ms, polyfillMs }) => (ms === null || polyfillMs === null ? '' : (polyfillMs / ms).toFixed(2)),
        numeric: true,
      },
      { title: 'failure', cell: ({ failure }) => failure ?? '' },
    ],
    speed,
  );
}

function time(ms: number | null): string {
  return ms === null ? '' : formatMilliseconds(ms);
}

function badge(good: boolean, text: string): HTMLElement {
  return create('span', { class: good ? 'badge good' : 'badge', text });
}
