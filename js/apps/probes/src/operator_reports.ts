/** Makes the report of a context from the verdicts on its cases. */

import { CONTEXTS } from './contexts.js';
import { opOf, type ProbeCase } from './probe_case.js';
import type { ContextState, ProbeRunState, Verdict } from './probe_run.js';
import { type OperatorLimits, operatorLimits, promiseText, shortfallsOf } from './promise.js';
import type { ContextReport, Fault, OperatorReport, Outcome } from './report.js';

/** Cases that a fault names. */
const EXAMPLES = 3;

/** The reports of all contexts, in the order of CONTEXTS. */
export function contextReports({ contexts }: ProbeRunState, cases: readonly ProbeCase[]): ContextReport[] {
  const names = Object.keys(CONTEXTS).filter((name) => contexts[name]);
  return names.map((name) => contextReport(name, contexts[name] as ContextState, cases));
}

function contextReport(name: string, state: ContextState, cases: readonly ProbeCase[]): ContextReport {
  const { refused, sameAs, info, verdicts } = state;
  const { devices = null, accelerated = null } = info ?? {};
  const limits = info === null || sameAs !== null ? new Map() : operatorLimits(info.limits);
  const byOp = groupBy(
    cases.filter((one) => one.name in verdicts),
    opOf,
  );
  return {
    name,
    options: CONTEXTS[name] ?? {},
    refused,
    sameAs,
    devices,
    accelerated,
    shortfalls: info === null || sameAs !== null ? [] : shortfallsOf(limits),
    operators: [...limits].map(([op, promised]) => operatorReport(op, promised, byOp.get(op) ?? [], verdicts)),
  };
}

function operatorReport(
  op: string,
  promised: OperatorLimits,
  cases: readonly ProbeCase[],
  verdicts: Readonly<Record<string, Verdict>>,
): OperatorReport {
  const counted = (hasValues: boolean) =>
    counts(
      cases.filter(({ part }) => (part === 'values') === hasValues),
      verdicts,
    );
  return {
    op,
    promise: Object.fromEntries(Object.entries(promised).map(([operand, row]) => [operand, promiseText(row)])),
    edges: counted(false),
    values: counted(true),
    faults: faultsOf(op, cases, verdicts),
  };
}

function counts(
  cases: readonly ProbeCase[],
  verdicts: Readonly<Record<string, Verdict>>,
): Partial<Record<Outcome, number>> {
  const found: Partial<Record<Outcome, number>> = {};
  for (const { name } of cases) {
    const { outcome } = verdicts[name] as Verdict;
    found[outcome] = (found[outcome] ?? 0) + 1;
  }
  return found;
}

function faultsOf(op: string, cases: readonly ProbeCase[], verdicts: Readonly<Record<string, Verdict>>): Fault[] {
  const failed = cases.filter(({ name }) => (verdicts[name] as Verdict).outcome !== 'works');
  const kinds = groupBy(failed, ({ name }) => kindOf(verdicts[name] as Verdict));
  return [...kinds.values()].map((same) => {
    const { outcome, stage = '', message = '' } = verdicts[(same[0] as ProbeCase).name] as Verdict;
    const examples = same.slice(0, EXAMPLES).map(({ name }) => name.slice(op.length + 1));
    return { outcome: outcome as Fault['outcome'], stage, message, graphs: same.length, examples };
  });
}

/** The same for messages that differ only in shapes and numbers. */
function kindOf({ outcome, stage, message = '' }: Verdict): string {
  const words = outcome === 'rejected' ? message.replace(/\[[^\]]*\]|\d+/g, '#') : '';
  return JSON.stringify([outcome, stage, words]);
}

/** Map.groupBy, which Node 20 lacks. */
function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
