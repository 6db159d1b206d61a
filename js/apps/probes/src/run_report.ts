/** Creates a report: slices of its run, and the reports of contexts from the verdicts on their cases. */

import type { MLContext } from 'webnn-polyfill';
import { probeFeatures } from './features.js';
import { FUSION_PATTERNS, measureFusion } from './fusion.js';
import { opOf, type ProbeCase } from './probe_case.js';
import {
  type ContextState,
  continueProbeRun,
  newProbeRun,
  type ProbeRunOptions,
  type ProbeRunState,
  type Verdict,
} from './probe_run.js';
import { type OperatorLimits, operatorLimits, promiseText, shortfallsOf } from './promise.js';
import {
  type Bug,
  type ContextReport,
  type FeatureReport,
  FORMAT,
  type FusionReport,
  type OperatorReport,
  type Outcome,
  type SpeedReport,
  type WebnnReport,
} from './report.js';
import { REQUIREMENTS_SOURCE } from './requirements.js';
import { measureSpeed, SPEED_OPERATIONS } from './speed.js';
import { CONTEXTS, type ContextOptions, openContext } from './webnn.js';

/** Cases that a bug names. */
const EXAMPLES = 3;

/** The reports of all contexts, in the order of CONTEXTS. */
export function contextReports({ contexts }: ProbeRunState, cases: readonly ProbeCase[]): ContextReport[] {
  const names = Object.keys(CONTEXTS).filter((name) => contexts[name]);
  return names.map((name) => contextReport(name, contexts[name] as ContextState, cases));
}

function contextReport(name: string, state: ContextState, cases: readonly ProbeCase[]): ContextReport {
  const { rejected, sameAs, info, verdicts } = state;
  const { devices = null, accelerated = null } = info ?? {};
  const limits = info === null || sameAs !== null ? new Map() : operatorLimits(info.limits);
  const byOp = groupBy(
    cases.filter((one) => one.name in verdicts),
    opOf,
  );
  return {
    name,
    options: CONTEXTS[name] ?? {},
    rejected,
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
    bugs: bugsOf(op, cases, verdicts),
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

function bugsOf(op: string, cases: readonly ProbeCase[], verdicts: Readonly<Record<string, Verdict>>): Bug[] {
  const failed = cases.filter(({ name }) => (verdicts[name] as Verdict).outcome !== 'works');
  const kinds = groupBy(failed, ({ name }) => kindOf(verdicts[name] as Verdict));
  return [...kinds.values()].map((same) => {
    const { outcome, stage = '', message = '' } = verdicts[(same[0] as ProbeCase).name] as Verdict;
    const examples = same.slice(0, EXAMPLES).map(({ name }) => name.slice(op.length + 1));
    return { outcome: outcome as Bug['outcome'], stage, message, graphs: same.length, examples };
  });
}

/** The same for messages that differ only in shapes and numbers. */
function kindOf({ outcome, stage, message = '' }: Verdict): string {
  const messageText = outcome === 'rejected' ? message.replace(/\[[^\]]*\]|\d+/g, '#') : '';
  return JSON.stringify([outcome, stage, messageText]);
}

/** Map.groupBy, which Node 20 lacks. */
function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** An unfinished report, as JSON. */
export interface ReportState {
  readonly probeRun: ProbeRunState;
  features: readonly FeatureReport[] | null;
  readonly fusion: FusionReport[];
  readonly speed: SpeedReport[];
}

/** `finished`, `unfinished` (its time is over), or `exhausted`: the browser creates no context any more. */
export type Progress = 'finished' | 'unfinished' | 'exhausted';

export interface ReportOptions extends ProbeRunOptions {
  /** Called with what is done now. */
  readonly onStep?: (text: string) => void;
  /** Whether speed and fusion are measured. Default: true. */
  readonly times?: boolean;
}

/** Describes where and when a report was created. */
export type ReportOrigin = Pick<WebnnReport, 'browser' | 'webnn' | 'created' | 'userAgent'>;

/** A report that has not begun. */
export function newReport(): ReportState {
  return { probeRun: newProbeRun(), features: null, fusion: [], speed: [] };
}

/** Continues a report; `state` is changed in place. */
export async function continueReport(state: ReportState, options: ReportOptions): Promise<Progress> {
  const { probeRun } = state;
  const deadline = performance.now() + (options.budgetMs ?? Number.POSITIVE_INFINITY);
  if (!(await continueProbeRun(probeRun, options))) return 'exhausted';
  if (!probeRun.finished) return 'unfinished';
  const [first] = Object.entries(probeRun.contexts).find(([, { info }]) => info !== null) ?? [];
  const provided = first === undefined ? undefined : CONTEXTS[first];
  if (provided === undefined) return 'finished'; // there is no context at all
  for (const [index, measure] of measuresOf(state, options).entries()) {
    // One measure at least, however short the slice: the next slice continues after it.
    if (options.signal?.aborted || (index > 0 && performance.now() > deadline)) return 'unfinished';
    const context = await openContext(options.webnn, provided);
    if (context === null) return 'exhausted';
    await measure(context, provided);
    context.destroy();
  }
  return 'finished';
}

/** What is left besides the corpus. */
function measuresOf(
  state: ReportState,
  { webnn, reference, onStep = () => {}, times = true }: ReportOptions,
): ((context: MLContext, provided: ContextOptions) => Promise<void>)[] {
  const features = async (_: MLContext, provided: ContextOptions) => {
    onStep('Trying features');
    state.features = await probeFeatures(webnn, provided);
  };
  const speed = (operation: string) => async (context: MLContext) => {
    onStep(`Measuring speed: ${operation}`);
    state.speed.push(await measureSpeed(operation, webnn, context, reference));
  };
  const fusion = (pattern: string) => async (context: MLContext) => {
    onStep(`Measuring fusion: ${pattern}`);
    state.fusion.push(await measureFusion(pattern, webnn, context));
  };
  return [
    ...(state.features === null ? [features] : []),
    ...(times ? SPEED_OPERATIONS.slice(state.speed.length).map(speed) : []),
    ...(times ? FUSION_PATTERNS.slice(state.fusion.length).map(fusion) : []),
  ];
}

/** The report of what is done so far. */
export function reportOf(state: ReportState, cases: readonly ProbeCase[], origin: ReportOrigin): WebnnReport {
  return {
    format: FORMAT,
    ...origin,
    requirements: REQUIREMENTS_SOURCE,
    contexts: contextReports(state.probeRun, cases),
    speed: state.speed,
    fusion: state.fusion,
    features: state.features ?? [],
  };
}
