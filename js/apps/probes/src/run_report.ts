/** Makes a report in slices: the corpus first, then features and measurements. */

import type { MLContext } from 'webnn-polyfill';
import { CONTEXTS, type ContextOptions } from './contexts.js';
import { probeFeatures } from './features.js';
import { FUSION_PATTERNS, measureFusion } from './fusion.js';
import { contextReports } from './operator_reports.js';
import type { ProbeCase } from './probe_case.js';
import { continueProbeRun, newProbeRun, type ProbeRunOptions, type ProbeRunState } from './probe_run.js';
import { type FeatureReport, FORMAT, type FusionReport, type SpeedReport, type WebnnReport } from './report.js';
import { REQUIREMENTS_SOURCE } from './requirements.js';
import { measureSpeed, SPEED_SUBJECTS } from './speed.js';
import { openContext } from './webnn.js';

/** A report in the making, as JSON. */
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

/** What a report says of where it was made. */
export type Circumstances = Pick<WebnnReport, 'browser' | 'webnn' | 'created' | 'userAgent'>;

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
  const given = first === undefined ? undefined : CONTEXTS[first];
  if (given === undefined) return 'finished'; // there is no context at all
  for (const [index, measure] of measuresOf(state, options).entries()) {
    // One measure at least, however short the slice: the next one goes on behind it.
    if (options.signal?.aborted || (index > 0 && performance.now() > deadline)) return 'unfinished';
    const context = await openContext(options.webnn, given);
    if (context === null) return 'exhausted';
    await measure(context, given);
    context.destroy();
  }
  return 'finished';
}

/** What is left besides the corpus. */
function measuresOf(
  state: ReportState,
  { webnn, reference, onStep = () => {}, times = true }: ReportOptions,
): ((context: MLContext, given: ContextOptions) => Promise<void>)[] {
  const features = async (_: MLContext, given: ContextOptions) => {
    onStep('Trying features');
    state.features = await probeFeatures(webnn, given);
  };
  const speed = (subject: string) => async (context: MLContext) => {
    onStep(`Measuring speed: ${subject}`);
    state.speed.push(await measureSpeed(subject, webnn, context, reference));
  };
  const fusion = (pattern: string) => async (context: MLContext) => {
    onStep(`Measuring fusion: ${pattern}`);
    state.fusion.push(await measureFusion(pattern, webnn, context));
  };
  return [
    ...(state.features === null ? [features] : []),
    ...(times ? SPEED_SUBJECTS.slice(state.speed.length).map(speed) : []),
    ...(times ? FUSION_PATTERNS.slice(state.fusion.length).map(fusion) : []),
  ];
}

/** The report of what is done so far. */
export function reportOf(state: ReportState, cases: readonly ProbeCase[], about: Circumstances): WebnnReport {
  return {
    format: FORMAT,
    ...about,
    requirements: REQUIREMENTS_SOURCE,
    contexts: contextReports(state.probeRun, cases),
    speed: state.speed,
    fusion: state.fusion,
    features: state.features ?? [],
  };
}
