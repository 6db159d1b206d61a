// The page's half of web_tests/bench/entrants.py: one engine in a page or its worker, and the models it has loaded.
//
// Each library has an adapter beside this file. `open(options)` gets the library and gives `load(task)`, which resolves
// to a model: `outputNames`, `run(arrays)` -> arrays, `dispose()`, and a `report` where the library has one. What a run
// takes is what a page would wait for: from arrays to arrays, copies included.

import { ARRAY_OF, answerCalls, fetchInputs, putArrays } from '../called.mjs';
import { watchMainThread } from './main_thread_watch.mjs';

// A round's turn ends here even where a run takes no time.
const MAX_RUNS_PER_TURN = 1000;

const entries = new Map();
let entryCount = 0;
let library;

async function timed(action) {
  const start = performance.now();
  const value = await action();
  return { value, ms: performance.now() - start };
}

const calls = {
  /** Gets a library: { adapter, options } -> milliseconds. */
  async open({ adapter, options }) {
    const { open } = await import(`./${adapter}.mjs`);
    const { value, ms } = await timed(() => open(options));
    library = value;
    return ms;
  },

  /** Loads a model: { url, inputs: [{ name, dtype, shape }], options } -> { id, ms, report }. */
  async load(task) {
    const { value: model, ms } = await timed(() => library.load(task));
    const id = ++entryCount;
    entries.set(id, { model, inputs: [] });
    return { id, ms, report: model.report ?? null };
  },

  /** Runs a model for the first time; its outputs are PUT to /exchange/KEY/INDEX. -> { ms, names, dtypes }. */
  async firstRun({ id, inputs }, key) {
    const entry = entries.get(id);
    entry.inputs = await fetchInputs(inputs);
    const { value: outputs, ms } = await timed(() => entry.model.run(entry.inputs));
    await putArrays(outputs, key);
    const dtypeOf = (array) => Object.keys(ARRAY_OF).find((dtype) => array instanceof ARRAY_OF[dtype]);
    return { ms, names: entry.model.outputNames, dtypes: outputs.map(dtypeOf) };
  },

  /** A model's turn in a round, on the inputs of its first run: { id, leastMs } -> milliseconds of a run. */
  async turn({ id, leastMs }) {
    const { model, inputs } = entries.get(id);
    await model.run(inputs); // finds the caches as the others have left them
    const start = performance.now();
    let runs = 0;
    let ms = 0;
    do {
      await model.run(inputs);
      runs += 1;
      ms = performance.now() - start;
    } while (ms < leastMs && runs < MAX_RUNS_PER_TURN);
    return ms / runs;
  },

  async dispose({ id }) {
    await entries.get(id)?.model.dispose();
    entries.delete(id);
  },
};

if (globalThis.document !== undefined) globalThis.watchMainThread = watchMainThread;
answerCalls(calls, import.meta.url);
