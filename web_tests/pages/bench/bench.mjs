// The page's half of tools/bench/sessions.py: one runtime in a page or its worker, and its loaded models.
//
// Each library has an adapter, in js/apps/libraries or next to this file; js/apps/libraries/README.md describes them.

import { turn } from '/libraries/turn.mjs';
import { ARRAY_OF, fetchInputs, putArrays, serveCalls } from '../called.mjs';
import { watchMainThread } from './main_thread_watch.mjs';

const entries = new Map();
let entryCount = 0;
let library;

async function timed(action) {
  const start = performance.now();
  const value = await action();
  return { value, ms: performance.now() - start };
}

const calls = {
  /** Gets a library: { adapter, options } -> milliseconds. `adapter` is an address, relative to this file. */
  async open({ adapter, options }) {
    const { open } = await import(adapter);
    const { value, ms } = await timed(() => open(options));
    library = value;
    return ms;
  },

  /**
   * Loads a model: { url, inputs: [{ name, dtype, shape }], signature, residentNames, options } -> { id, ms, report }.
   */
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

  /** A model's turn in a round, on the inputs of its first run: { id, minMs } -> milliseconds of a run. */
  async turn({ id, minMs }) {
    const { model, inputs } = entries.get(id);
    return turn(model, inputs, minMs);
  },

  async dispose({ id }) {
    await entries.get(id)?.model.dispose();
    entries.delete(id);
  },
};

if (globalThis.document !== undefined) globalThis.watchMainThread = watchMainThread;
serveCalls(calls, import.meta.url);
