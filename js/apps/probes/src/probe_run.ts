/**
 * Runs the corpus on a WebNN, in slices whose state is JSON data: a page that crashes, or a new browser, continues it.
 */

import { errorOf } from './compare.js';
import { opOf, type ProbeCase } from './probe_case.js';
import { casesFor, operatorLimits } from './promise.js';
import type { Outcome } from './report.js';
import { type GraphResult, Session, type Stage } from './session.js';
import { CONTEXTS, type ContextInfo, infoOf, isSame, type Webnn } from './webnn.js';

/** The result of a case. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly stage?: Stage;
  readonly message?: string;
}

/** One context's part of a probe run. */
export interface ContextState {
  readonly rejected: string | null;
  readonly sameAs: string | null;
  readonly info: ContextInfo | null;
  /** By case. */
  readonly verdicts: Record<string, Verdict>;
}

/** A probe run, as JSON. */
export interface ProbeRunState {
  readonly contexts: Record<string, ContextState>;
  /** The case on which the page crashed, to be blamed. */
  running: Running | null;
  finished: boolean;
}

export interface ProbeRunOptions {
  /** The WebNN under test. */
  readonly webnn: Webnn;
  /**
   * The engine whose results are the reference where numpy's are missing; null if the one under test is that engine.
   */
  readonly reference: Webnn | null;
  readonly cases: readonly ProbeCase[];
  /** Names of CONTEXTS. Default: all. */
  readonly contexts?: readonly string[];
  /** Whether all cases run, also those of an operator that has crashed a context. Default: false. */
  readonly everyCase?: boolean;
  /** Operators that crash this browser: they run last. */
  readonly crashingOps?: ReadonlySet<string>;
  /** Ends the slice after this time. Default: none. */
  readonly budgetMs?: number;
  readonly signal?: AbortSignal;
  /** Keeps what runs next, in case the page crashes. */
  readonly beforeEach?: (running: Running) => Promise<void> | void;
  readonly onProgress?: (done: number, total: number) => void;
}

/** A case in a context. */
export interface Running {
  readonly context: string;
  readonly name: string;
}

/** A probe run that has not begun. */
export function newProbeRun(): ProbeRunState {
  return { contexts: {}, running: null, finished: false };
}

/**
 * Continues a probe run until it is finished, its time is over, it is aborted, or the browser creates no context any
 * more.
 *
 * @param state - Changed in place. If the page crashed, `running` is what it ran.
 * @returns Whether the browser still creates contexts. If not, a fresh browser continues.
 */
export async function continueProbeRun(state: ProbeRunState, options: ProbeRunOptions): Promise<boolean> {
  if (state.running !== null) blame(state, state.running);
  const names = options.contexts ?? Object.keys(CONTEXTS);
  for (const name of names) await queryLimits(state, name, options.webnn);
  const work = names.flatMap((name) => casesIn(state, name, options).map((one) => ({ name, one })));
  const left = work.filter(({ name, one }) => !(one.name in contextOf(state, name).verdicts));
  const references = options.reference && new Session(options.reference);
  const sessions = new Map(names.map((name) => [name, new Session(options.webnn, CONTEXTS[name])]));
  try {
    return await runAll(state, left, options, sessions, references, work.length);
  } finally {
    for (const session of sessions.values()) session.close();
    references?.close();
  }
}

interface Item {
  readonly name: string;
  readonly one: ProbeCase;
}

async function runAll(
  state: ProbeRunState,
  left: readonly Item[],
  { budgetMs = Number.POSITIVE_INFINITY, signal, beforeEach, onProgress, everyCase = false }: ProbeRunOptions,
  sessions: ReadonlyMap<string, Session>,
  references: Session | null,
  total: number,
): Promise<boolean> {
  const deadline = performance.now() + budgetMs;
  for (const [index, item] of left.entries()) {
    onProgress?.(total - left.length + index, total);
    if (performance.now() > deadline || signal?.aborted) return true;
    await beforeEach?.({ context: item.name, name: item.one.name });
    if (!everyCase && isUntried(state, item)) continue;
    const alive = await tryCase(state, item, sessions.get(item.name) as Session, references);
    if (!alive) return false;
  }
  state.finished = true;
  return true;
}

function contextOf(state: ProbeRunState, name: string): ContextState {
  return state.contexts[name] as ContextState;
}

function blame(state: ProbeRunState, { context, name }: Running): void {
  const { verdicts } = contextOf(state, context);
  verdicts[name] = { outcome: 'crashes', message: 'the page crashed, too' };
  state.running = null;
}

/** Queries the limits of a context, once. */
async function queryLimits(state: ProbeRunState, name: string, webnn: Webnn): Promise<void> {
  if (state.contexts[name]) return;
  try {
    const info = await infoOf(webnn, CONTEXTS[name] ?? {});
    const same = Object.entries(state.contexts).find(([, other]) => other.info && isSame(other.info, info));
    state.contexts[name] = { rejected: null, sameAs: same?.[0] ?? null, info, verdicts: {} };
  } catch (error) {
    state.contexts[name] = { rejected: String(error), sameAs: null, info: null, verdicts: {} };
  }
}

/** The cases of a context, those of crashing operators last. */
function casesIn(state: ProbeRunState, name: string, { cases, crashingOps = new Set() }: ProbeRunOptions): ProbeCase[] {
  const { info, sameAs } = contextOf(state, name);
  if (info === null || sameAs !== null) return [];
  const chosen = casesFor(operatorLimits(info.limits), cases);
  const isCrashing = (one: ProbeCase) => Number(crashingOps.has(opOf(one)));
  return chosen.sort((one, other) => isCrashing(one) - isCrashing(other));
}

/** Whether a case is left out because another one of its operator has crashed a context. */
function isUntried(state: ProbeRunState, { name, one }: Item): boolean {
  const { verdicts } = contextOf(state, name);
  const crashed = Object.keys(verdicts).find(
    (other) => verdicts[other]?.outcome === 'crashes' && opName(other) === opOf(one),
  );
  if (crashed) verdicts[one.name] = { outcome: 'untried', message: `after ${crashed}` };
  return crashed !== undefined;
}

async function tryCase(
  state: ProbeRunState,
  { name, one }: Item,
  session: Session,
  references: Session | null,
): Promise<boolean> {
  const { verdicts } = contextOf(state, name);
  const result = await session.run(one.graph);
  if (result !== null) verdicts[one.name] = await verdictOf(one, result, references);
  return result !== null;
}

/** Names of cases begin with the operator's, before a space or an underscore. */
function opName(name: string): string {
  return name.split(/[ _]/, 1)[0] as string;
}

async function verdictOf(one: ProbeCase, result: GraphResult, references: Session | null): Promise<Verdict> {
  if ('lost' in result) return { outcome: 'crashes', stage: result.stage, message: result.lost };
  if ('hangs' in result) return { outcome: 'hangs', stage: result.stage, message: 'no response' };
  if ('message' in result) return { outcome: 'rejected', stage: result.stage, message: result.message };
  if (one.expected === null) return { outcome: 'works' };
  let expected: Parameters<typeof errorOf>[1] = one.expected;
  if (expected.length === 0) {
    const reference = await references?.run(one.graph);
    if (!reference || !('outputs' in reference)) return { outcome: 'works' };
    expected = reference.outputs;
  }
  const error = errorOf(result.outputs, expected, one.tolerance);
  return error ? { outcome: 'wrong', stage: 'run', message: error } : { outcome: 'works' };
}
