/** What differs between two reports: this browser and last month's, or two browsers. */

import { isFused } from './fusion.js';
import type { ContextReport, OperatorReport, WebnnReport } from './report.js';

/** One difference. */
export interface Difference {
  /** Where: a context and operator, a feature, a pattern. */
  readonly where: string;
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** All differences but times, which other work on a machine changes. */
export function differencesOf(before: WebnnReport, after: WebnnReport): Difference[] {
  return [
    ...contextDifferences(before, after),
    ...rowDifferences(
      'feature',
      before.features,
      after.features,
      ({ feature }) => feature,
      ({ there }) => (there ? 'yes' : 'no'),
    ),
    ...rowDifferences(
      'fusion',
      before.fusion,
      after.fusion,
      ({ pattern }) => pattern,
      (row) => fusedText(isFused(row)),
    ),
  ];
}

/** `yes`, `no`, or that it did not run. */
export function fusedText(fused: boolean | null): string {
  return fused === null ? 'did not run' : fused ? 'yes' : 'no';
}

function contextDifferences(before: WebnnReport, after: WebnnReport): Difference[] {
  const state = ({ rejected, sameAs }: ContextReport) => rejected ?? (sameAs === null ? 'a context' : `as ${sameAs}`);
  const states = rowDifferences('context', before.contexts, after.contexts, ({ name }) => name, state);
  const operators = before.contexts.flatMap((context) => {
    const other = after.contexts.find(({ name }) => name === context.name);
    return other ? operatorDifferences(context, other) : [];
  });
  return [...states, ...operators];
}

function operatorDifferences(before: ContextReport, after: ContextReport): Difference[] {
  if (before.operators.length === 0 || after.operators.length === 0) return [];
  const aspects: Readonly<Record<string, (row: OperatorReport) => string>> = {
    promise: ({ promise }) =>
      Object.entries(promise)
        .map(([operand, text]) => `${operand}: ${text}`)
        .join('; '),
    edges: ({ edges }) => countsText(edges),
    values: ({ values }) => countsText(values),
  };
  return Object.entries(aspects).flatMap(([aspect, text]) =>
    rowDifferences(aspect, before.operators, after.operators, ({ op }) => op, text).map((difference) => ({
      ...difference,
      where: `${before.name}: ${difference.where}`,
    })),
  );
}

/** `62 works, 3 wrong`; `none` if nothing ran. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`);
  return parts.join(', ') || 'none';
}

function rowDifferences<Row>(
  what: string,
  before: readonly Row[],
  after: readonly Row[],
  nameOf: (row: Row) => string,
  textOf: (row: Row) => string,
): Difference[] {
  const texts = (rows: readonly Row[]) => new Map(rows.map((row) => [nameOf(row), textOf(row)]));
  const [old, current] = [texts(before), texts(after)];
  const names = [...new Set([...old.keys(), ...current.keys()])];
  return names
    .filter((name) => old.get(name) !== current.get(name))
    .map((where) => ({ where, what, before: old.get(where) ?? 'missing', after: current.get(where) ?? 'missing' }));
}
