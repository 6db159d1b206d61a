/** A contest: every runtime loads the model, and the runtimes take turns in every round, as in `build.py bench`. */

import { type Answer, compare, type Difference } from './answers.js';
import { REFERENCE, type Runtime } from './runtime.js';
import { ratios, type Spread, spread } from './statistics.js';

/** A model on a runtime. */
export interface Entrant {
  /** Loads the model; returns the time and the library's report, if any. */
  load(): Promise<{ readonly ms: number; readonly report: ModelFacts | null }>;
  /** Runs the model once. */
  firstRun(): Promise<{ readonly ms: number; readonly answer: Answer }>;
  /** Runs the model for at least `leastMs`; returns milliseconds per run. */
  turn(leastMs: number): Promise<number>;
  /** Frees the model and its worker. */
  dispose(): void;
}

/** The facts of this project's report that the table shows. */
export interface ModelFacts {
  readonly executionMode?: string;
  readonly variant?: string;
  readonly threads?: { readonly used: number };
  readonly totals?: { readonly nodes: number; readonly delegatedNodes: number };
  readonly webnn?: { readonly reason: string | null };
}

export interface ContestProgress {
  readonly text: string;
  readonly done: number;
  readonly total: number;
}

/** A runtime's result. */
export interface Row {
  readonly runtime: Runtime;
  readonly loadMs: number | null;
  readonly firstRunMs: number | null;
  readonly facts: ModelFacts | null;
  /** Milliseconds per run, by round. */
  readonly turnsMs: readonly number[];
  readonly ms: Spread | null;
  /** Time divided by the baseline's: above 1, the baseline is faster. */
  readonly ratio: Spread | null;
  /** From the reference's output; null if they cannot be compared. */
  readonly difference: Difference | null;
  /** Why times are missing or end early. */
  readonly failure: string | null;
}

export interface ContestOptions {
  readonly rounds: number;
  readonly signal: AbortSignal;
  /** A runtime that does not answer a call within this time leaves the contest. Default: a minute. */
  readonly patienceMs?: number;
  readonly onProgress: (progress: ContestProgress) => void;
}

/** Warm-up per runtime: browsers recompile hot code. */
const WARMUP_MS = 400;
/** Minimum duration of a turn. */
const LEAST_TURN_MS = 10;
/** tfjs-tflite's threads sometimes never start in a worker of Firefox 153. */
const PATIENCE_MS = 60_000;

/** A runtime does not answer. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

interface Contestant {
  readonly runtime: Runtime;
  entrant: Entrant | null;
  loadMs: number | null;
  firstRunMs: number | null;
  facts: ModelFacts | null;
  answer: Answer | null;
  failure: string | null;
  readonly turnsMs: number[];
}

/**
 * Runs a contest.
 *
 * @param enter - Creates a runtime's entrant, which has not loaded anything yet.
 * @returns A row per runtime; if the signal aborts the contest, with the rounds that finished.
 */
export async function compete(
  runtimes: readonly Runtime[],
  enter: (runtime: Runtime) => Entrant,
  { rounds, signal, patienceMs = PATIENCE_MS, onProgress }: ContestOptions,
): Promise<Row[]> {
  const contestants = runtimes.map(newContestant);
  const total = contestants.length * (2 + rounds);
  let done = 0;
  const attempt = async (what: string, contestant: Contestant, action: (entrant: Entrant) => Promise<void>) => {
    onProgress({ text: `${what}: ${contestant.runtime.title}`, done, total });
    done += 1;
    await attemptOne(contestant, (entrant) => answered(action(entrant), patienceMs, signal));
  };
  try {
    for (const contestant of contestants) {
      if (signal.aborted) break;
      await attempt('Loading', contestant, async () => load(contestant, enter));
    }
    for (const contestant of contestants) {
      if (signal.aborted) break;
      await attempt('Warming up', contestant, async (entrant) => void (await entrant.turn(WARMUP_MS)));
    }
    for (let round = 0; round < rounds && !signal.aborted; round++) {
      // Every other round runs in reverse, so that no runtime always follows the same one.
      for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
        await attempt(`Round ${round + 1} of ${rounds}`, contestant, async (entrant) => {
          contestant.turnsMs.push(await entrant.turn(LEAST_TURN_MS));
        });
      }
    }
  } finally {
    for (const { entrant } of contestants) entrant?.dispose();
  }
  return rowsOf(contestants);
}

function newContestant(runtime: Runtime): Contestant {
  const nothing = { entrant: null, loadMs: null, firstRunMs: null, facts: null, answer: null };
  return { runtime, ...nothing, failure: runtime.missing, turnsMs: [] };
}

/** A runtime that fails leaves the contest; the others continue. */
async function attemptOne(contestant: Contestant, action: (entrant: Entrant) => Promise<void>): Promise<void> {
  if (contestant.failure !== null) return;
  try {
    await action(contestant.entrant as Entrant);
  } catch (error) {
    contestant.failure = error instanceof Error ? error.message : String(error);
    contestant.entrant?.dispose();
    contestant.entrant = null;
  }
}

/**
 * Waits for an action, but not longer than the patience, nor once the signal aborts.
 *
 * @throws NoAnswerError if the patience is over.
 */
async function answered(action: Promise<void>, patienceMs: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const limit = new Promise<void>((resolve, reject) => {
    const noAnswer = new NoAnswerError(`The runtime did not answer within ${patienceMs / 1000} s.`);
    const timer = setTimeout(() => reject(noAnswer), patienceMs);
    over.signal.addEventListener('abort', () => clearTimeout(timer));
    signal.addEventListener('abort', () => resolve(), { signal: over.signal });
  });
  await Promise.race([action, limit]).finally(() => over.abort());
}

async function load(contestant: Contestant, enter: (runtime: Runtime) => Entrant): Promise<void> {
  contestant.entrant = enter(contestant.runtime);
  const { ms, report } = await contestant.entrant.load();
  contestant.loadMs = ms;
  contestant.facts = report;
  const first = await contestant.entrant.firstRun();
  contestant.firstRunMs = first.ms;
  contestant.answer = first.answer;
}

/** The first runtime that ran is the baseline of the times; this project on the CPU is the reference of the outputs. */
function rowsOf(contestants: readonly Contestant[]): Row[] {
  const measure = contestants.find(({ turnsMs }) => turnsMs.length > 0);
  const reference = contestants.find(({ runtime }) => runtime.name === REFERENCE)?.answer ?? null;
  return contestants.map(({ runtime, loadMs, firstRunMs, facts, turnsMs, answer, failure }) => ({
    runtime,
    loadMs,
    firstRunMs,
    facts,
    turnsMs,
    ms: turnsMs.length === 0 ? null : spread(turnsMs),
    // Only full series can be compared round by round.
    ratio:
      measure === undefined || turnsMs.length === 0 || turnsMs.length !== measure.turnsMs.length
        ? null
        : ratios(turnsMs, measure.turnsMs),
    difference: answer === null || reference === null ? null : compare(answer, reference),
    failure,
  }));
}
