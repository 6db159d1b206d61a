/** A contest: every engine has the model loaded, and all take turns in every round. As `build.py bench` measures. */

import { type Answer, compare, type Difference } from './answers.js';
import { type Engine, REFERENCE } from './engine.js';
import { ratios, type Spread, spread } from './statistics.js';

/** A model in an engine. */
export interface Entrant {
  /** Loads it; tells how long that took, and what the library tells of it. */
  load(): Promise<{ readonly ms: number; readonly report: ModelFacts | null }>;
  /** Runs it once. */
  firstRun(): Promise<{ readonly ms: number; readonly answer: Answer }>;
  /** Runs it for at least this long; the milliseconds of a run. */
  turn(leastMs: number): Promise<number>;
  /** Frees it, and whatever it ran in. */
  dispose(): void;
}

/** What this project's report says in a line. */
export interface ModelFacts {
  readonly executionMode?: string;
  readonly variant?: string;
  readonly threads?: { readonly used: number };
  readonly totals?: { readonly nodes: number; readonly delegatedNodes: number };
  readonly webnn?: { readonly reason: string | null };
}

/** Where the contest is. */
export interface ContestProgress {
  readonly text: string;
  readonly done: number;
  readonly total: number;
}

/** An engine's result. */
export interface Row {
  readonly engine: Engine;
  readonly loadMs: number | null;
  readonly firstRunMs: number | null;
  readonly facts: ModelFacts | null;
  /** Of a run, in each round. */
  readonly turnsMs: readonly number[];
  readonly ms: Spread | null;
  /** Its time over the measure's: above 1, the measure is faster. */
  readonly ratio: Spread | null;
  /** To the reference's answer; null where there is nothing to compare. */
  readonly difference: Difference | null;
  /** Why there are no times, or why they end early. */
  readonly failure: string | null;
}

/** How a contest is held. */
export interface ContestOptions {
  readonly rounds: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ContestProgress) => void;
}

/** Before the first round each runs for so long: browsers compile code anew that runs often. */
const WARMUP_MS = 400;
/** A turn takes at least so long. */
const LEAST_TURN_MS = 10;

interface Contestant {
  readonly engine: Engine;
  entrant: Entrant | null;
  loadMs: number | null;
  firstRunMs: number | null;
  facts: ModelFacts | null;
  answer: Answer | null;
  failure: string | null;
  readonly turnsMs: number[];
}

/**
 * Lets engines compete.
 *
 * @param enter - Makes an engine's entrant, which loads nothing yet.
 * @returns A row for each engine; where the signal ended the contest, of the rounds that all have done.
 */
export async function compete(
  engines: readonly Engine[],
  enter: (engine: Engine) => Entrant,
  { rounds, signal, onProgress }: ContestOptions,
): Promise<Row[]> {
  const contestants = engines.map(newContestant);
  const total = contestants.length * (2 + rounds);
  let done = 0;
  const attempt = async (what: string, contestant: Contestant, action: (entrant: Entrant) => Promise<void>) => {
    onProgress({ text: `${what}: ${contestant.engine.title}`, done, total });
    done += 1;
    await attemptOne(contestant, action);
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
      // Every other round runs backwards: nobody always finds the caches as the same one has left them.
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

function newContestant(engine: Engine): Contestant {
  const nothing = { entrant: null, loadMs: null, firstRunMs: null, facts: null, answer: null };
  return { engine, ...nothing, failure: engine.missing, turnsMs: [] };
}

/** What fails leaves the contest; the others go on. */
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

async function load(contestant: Contestant, enter: (engine: Engine) => Entrant): Promise<void> {
  contestant.entrant = enter(contestant.engine);
  const { ms, report } = await contestant.entrant.load();
  contestant.loadMs = ms;
  contestant.facts = report;
  const first = await contestant.entrant.firstRun();
  contestant.firstRunMs = first.ms;
  contestant.answer = first.answer;
}

/** Everything is measured against the first engine that ran, ours; answers against those of the CPU. */
function rowsOf(contestants: readonly Contestant[]): Row[] {
  const measure = contestants.find(({ turnsMs }) => turnsMs.length > 0);
  const reference = contestants.find(({ engine }) => engine.name === REFERENCE)?.answer ?? null;
  return contestants.map(({ engine, loadMs, firstRunMs, facts, turnsMs, answer, failure }) => ({
    engine,
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
