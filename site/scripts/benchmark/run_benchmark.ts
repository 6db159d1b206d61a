/** A benchmark: every runtime loads the model, and the runtimes alternate in every round, as in `build.py bench`. */

import { compare, type Difference, type RuntimeOutputs } from './outputs.js';
import { REFERENCE, type Runtime } from './runtime.js';
import { ratios, type Spread, spread } from './statistics.js';

/** A model on a runtime. */
export interface Candidate {
  /** Loads the model; returns the time and the library's report, if any. */
  load(): Promise<{ readonly ms: number; readonly report: ModelInfo | null }>;
  /** Runs the model once. */
  firstRun(): Promise<{ readonly ms: number; readonly outputs: RuntimeOutputs }>;
  /** Runs the model for at least `minMs`; returns milliseconds per run. */
  turn(minMs: number): Promise<number>;
  /** Frees the model and its worker. */
  dispose(): void;
}

/** What of this project's report the table shows. */
export interface ModelInfo {
  readonly executionMode?: string;
  readonly variant?: string;
  readonly threads?: { readonly used: number };
  readonly totals?: { readonly nodes: number; readonly delegatedNodes: number };
  readonly webnn?: { readonly reason: string | null };
}

export interface BenchmarkProgress {
  readonly text: string;
  readonly done: number;
  readonly total: number;
}

/** A runtime's result. */
export interface Row {
  readonly runtime: Runtime;
  readonly loadMs: number | null;
  readonly firstRunMs: number | null;
  readonly info: ModelInfo | null;
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

export interface BenchmarkOptions {
  readonly rounds: number;
  readonly signal: AbortSignal;
  /** A runtime that does not respond to a call within this time leaves the benchmark. Default: a minute. */
  readonly timeoutMs?: number;
  readonly onProgress: (progress: BenchmarkProgress) => void;
}

/** Warm-up per runtime: browsers recompile hot code. */
const WARMUP_MS = 400;
/** Minimum duration of a turn. */
const MIN_TURN_MS = 10;
/** tfjs-tflite's threads sometimes never start in a worker of Firefox 153. */
const TIMEOUT_MS = 60_000;

/** A runtime does not respond. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

interface CandidateState {
  readonly runtime: Runtime;
  candidate: Candidate | null;
  loadMs: number | null;
  firstRunMs: number | null;
  info: ModelInfo | null;
  outputs: RuntimeOutputs | null;
  failure: string | null;
  readonly turnsMs: number[];
}

/**
 * Runs a benchmark.
 *
 * @param createCandidate - Creates a runtime's candidate, which has not loaded anything yet.
 * @returns A row per runtime; if the signal aborts the benchmark, with the rounds that finished.
 */
export async function runBenchmark(
  runtimes: readonly Runtime[],
  createCandidate: (runtime: Runtime) => Candidate,
  { rounds, signal, timeoutMs = TIMEOUT_MS, onProgress }: BenchmarkOptions,
): Promise<Row[]> {
  const states = runtimes.map(newCandidateState);
  const total = states.length * (2 + rounds);
  let done = 0;
  const attempt = async (what: string, state: CandidateState, action: (candidate: Candidate) => Promise<void>) => {
    onProgress({ text: `${what}: ${state.runtime.title}`, done, total });
    done += 1;
    await attemptOne(state, (candidate) => withTimeout(action(candidate), timeoutMs, signal));
  };
  try {
    for (const state of states) {
      if (signal.aborted) break;
      await attempt('Loading', state, async () => load(state, createCandidate));
    }
    for (const state of states) {
      if (signal.aborted) break;
      await attempt('Warming up', state, async (candidate) => void (await candidate.turn(WARMUP_MS)));
    }
    for (let round = 0; round < rounds && !signal.aborted; round++) {
      // Every other round runs in reverse, so that no runtime always follows the same one.
      for (const state of round % 2 === 0 ? states : states.toReversed()) {
        await attempt(`Round ${round + 1} of ${rounds}`, state, async (candidate) => {
          state.turnsMs.push(await candidate.turn(MIN_TURN_MS));
        });
      }
    }
  } finally {
    for (const { candidate } of states) candidate?.dispose();
  }
  return rowsOf(states);
}

function newCandidateState(runtime: Runtime): CandidateState {
  const nothing = { candidate: null, loadMs: null, firstRunMs: null, info: null, outputs: null };
  return { runtime, ...nothing, failure: runtime.missing, turnsMs: [] };
}

/** A runtime that fails leaves the benchmark; the others continue. */
async function attemptOne(state: CandidateState, action: (candidate: Candidate) => Promise<void>): Promise<void> {
  if (state.failure !== null) return;
  try {
    await action(state.candidate as Candidate);
  } catch (error) {
    state.failure = error instanceof Error ? error.message : String(error);
    state.candidate?.dispose();
    state.candidate = null;
  }
}

/**
 * Waits for an action, but not longer than the timeout, nor once the signal aborts.
 *
 * @throws NoResponseError if the time is over.
 */
async function withTimeout(action: Promise<void>, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const limit = new Promise<void>((resolve, reject) => {
    const noResponse = new NoResponseError(`The runtime did not respond within ${timeoutMs / 1000} s.`);
    const timer = setTimeout(() => reject(noResponse), timeoutMs);
    over.signal.addEventListener('abort', () => clearTimeout(timer));
    signal.addEventListener('abort', () => resolve(), { signal: over.signal });
  });
  await Promise.race([action, limit]).finally(() => over.abort());
}

async function load(state: CandidateState, createCandidate: (runtime: Runtime) => Candidate): Promise<void> {
  state.candidate = createCandidate(state.runtime);
  const { ms, report } = await state.candidate.load();
  state.loadMs = ms;
  state.info = report;
  const first = await state.candidate.firstRun();
  state.firstRunMs = first.ms;
  state.outputs = first.outputs;
}

/** The first runtime that ran is the baseline of the times; this project on the CPU is the reference of the outputs. */
function rowsOf(states: readonly CandidateState[]): Row[] {
  const measure = states.find(({ turnsMs }) => turnsMs.length > 0);
  const reference = states.find(({ runtime }) => runtime.name === REFERENCE)?.outputs ?? null;
  return states.map(({ runtime, loadMs, firstRunMs, info, turnsMs, outputs, failure }) => ({
    runtime,
    loadMs,
    firstRunMs,
    info,
    turnsMs,
    ms: turnsMs.length === 0 ? null : spread(turnsMs),
    // Only full series can be compared round by round.
    ratio:
      measure === undefined || turnsMs.length === 0 || turnsMs.length !== measure.turnsMs.length
        ? null
        : ratios(turnsMs, measure.turnsMs),
    difference: outputs === null || reference === null ? null : compare(outputs, reference),
    failure,
  }));
}
