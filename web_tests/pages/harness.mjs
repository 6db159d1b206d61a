// The page's half of web_tests/drivers/harness.py: loads the built package like a user's page, and serves Python's
// calls.

import { ARRAY_OF, addressOf, fetchInputs, putArrays, sendArrays, serveCalls } from './called.mjs';
import { pageInfo } from './page_info.mjs';
import { HandWritten } from './hand_written.mjs';
import { imageCalls } from './images.mjs';
import { turn } from '/libraries/turn.mjs';

const models = new Map();
let modelCount = 0;
let library;

/** Imports the package once. A failed import is returned like any other error. */
async function packageModule() {
  library ??= await import('/package/index.mjs');
  return library;
}

async function sendResults(results, key) {
  const sent = await sendArrays(dataOf(results), key);
  return results.map(({ name, dtype, shape }, index) => ({ name, dtype, shape, base64: sent[index] }));
}

const dataOf = (results) => results.map(({ data }) => data);

async function timeOfRun({ run }) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

const calls = {
  ...imageCalls,

  /** Loads a model: { source, options } -> { id, inputs, outputs, executionMode, report, loadMs }. */
  async load({ source, options }) {
    const { loadTFLiteModel } = await packageModule();
    const start = performance.now();
    const model = await loadTFLiteModel(addressOf(source), options);
    const loadMs = performance.now() - start;
    const id = ++modelCount;
    models.set(id, model);
    const { inputs, outputs, executionMode } = model;
    const report = await model.report();
    return { id, inputs, outputs, executionMode, report, loadMs };
  },

  /** The present report on a model. */
  async report({ id }) {
    return models.get(id).report();
  },

  /** The same report as text. */
  async renderReport({ id }) {
    const { renderReport } = await packageModule();
    return renderReport(await models.get(id).report());
  },

  /** Runs a model and sends its outputs. -> { name, dtype, shape, base64 } of each. */
  async run({ id, inputs }, key) {
    // In the model's order also where the inputs have names, and then the results.
    return sendResults(Object.values(await models.get(id).run(await fetchInputs(inputs))), key);
  },

  /** Loads a model, runs it so often, and drops it -> what load() returns, with the `results` of each run. */
  async loadAndRun({ source, options, inputs, runs, call }, key) {
    const loaded = await calls.load({ source, options });
    try {
      const results = [];
      for (let run = 0; run < runs; run++) results.push(await calls[call]({ id: loaded.id, inputs }, `${key}/${run}`));
      return { ...loaded, results };
    } finally {
      await calls.dispose({ id: loaded.id });
    }
  },

  /** Loads a model of any kind, runs it on zeros and drops it: { source, options } -> null; its error is returned. */
  async attempt({ source, options }) {
    const { id, inputs } = await calls.load({ source, options });
    try {
      // Other types have no array.
      if (!inputs.every(({ dtype }) => dtype in ARRAY_OF)) return;
      await models.get(id).run(inputs.map(({ dtype, shape }) => new ARRAY_OF[dtype](shape.reduce((a, b) => a * b, 1))));
    } finally {
      await calls.dispose({ id });
    }
  },

  /** Runs a model by runSync(); its outputs are PUT to /exchange/KEY/INDEX. -> the declared outputs. */
  async runSync({ id, inputs }, key) {
    const model = models.get(id);
    await putArrays(dataOf(Object.values(model.runSync(await fetchInputs(inputs)))), key);
    return model.outputs;
  },

  /** Runs a signature and sends its outputs. -> { name, dtype, shape, base64 } of each. */
  async runSignature({ id, signature, inputs }, key) {
    const results = await models.get(id).runSignature(signature, await fetchInputs(inputs));
    return sendResults(Object.values(results), key);
  },

  /** Changes the inputs' shapes. -> the same as load() */
  async resizeInputs({ id, shapes, signature }) {
    const model = models.get(id);
    await model.resizeInputs(shapes, signature);
    const { inputs, outputs, executionMode } = model;
    const report = await model.report();
    return { inputs, outputs, executionMode, report };
  },

  /** Clears the state. */
  async resetState({ id }) {
    await models.get(id).resetState();
  },

  /** The profile of the last run. */
  async profile({ id }) {
    const model = models.get(id);
    return { items: await model.getProfilingResults(), summary: await model.getProfilingSummary() };
  },

  /** Runs a model and profiles each run: { id, inputs, runs, warmupRuns } -> by run, { ms, items }. */
  async profileRuns({ id, inputs, runs, warmupRuns }) {
    const model = models.get(id);
    const arrays = await fetchInputs(inputs);
    const profiles = [];
    for (let run = -warmupRuns; run < runs; run++) {
      const start = performance.now();
      await model.run(arrays);
      const ms = performance.now() - start;
      if (run >= 0) profiles.push({ ms, items: await model.getProfilingResults() });
    }
    return profiles;
  },

  /** Runs the first graph of an exported script: { script, inputs by name } -> names of its outputs, which are PUT. */
  async runExported({ script, inputs }, key) {
    const handWritten = await HandWritten.load(script);
    await handWritten.run(await fetchInputs(inputs));
    await putArrays(Object.values(handWritten.outputs), key);
    handWritten.destroy();
    return Object.keys(handWritten.outputs);
  },

  /**
   * Times several models, interleaved: { candidates: [{ id, inputs }], rounds, warmupRounds, minTurnMs } -> ms[candidate][round].
   * A turn is one run, or, where `minTurnMs` is not null, the mean of as many as take so long.
   */
  async measure({ candidates: descriptions, rounds, warmupRounds, minTurnMs }) {
    const candidates = await Promise.all(
      descriptions.map(async ({ id, inputs }) => {
        const model = models.get(id);
        const arrays = await fetchInputs(inputs);
        const outputs = dataOf(await model.run(arrays));
        return { run: () => model.run(arrays, { outputs }), times: [] };
      }),
    );
    for (let round = -warmupRounds; round < rounds; round++) {
      // Every other round runs backwards: neither model always finds the caches warmed by the other.
      for (const candidate of round % 2 === 0 ? candidates : candidates.toReversed()) {
        const ms = await (minTurnMs === null ? timeOfRun(candidate) : turn(candidate, [], minTurnMs));
        if (round >= 0) candidate.times.push(ms);
      }
    }
    return candidates.map((candidate) => candidate.times);
  },

  /**
   * Times a model alone: { id, inputs, maxTurns, enoughMs, minTurnMs } -> ms of a run, for each turn, until there are
   * so many turns or they took so long. A turn is as many runs as take `minTurnMs`: clocks tick in up to a millisecond.
   */
  async time({ id, inputs, maxTurns, enoughMs, minTurnMs }) {
    const model = models.get(id);
    const arrays = await fetchInputs(inputs);
    const times = [];
    let outputs;
    for (let spentMs = 0; times.length < maxTurns && spentMs < enoughMs; ) {
      const start = performance.now();
      let runs = 0;
      let turnMs = 0;
      while (turnMs < minTurnMs) {
        outputs = dataOf(await model.run(arrays, { outputs }));
        runs++;
        turnMs = performance.now() - start;
      }
      times.push(turnMs / runs);
      spentMs += turnMs;
    }
    return times;
  },

  /** The page's features (page_info.mjs). */
  async pageInfo() {
    const { getWasmFeatures } = await packageModule();
    return pageInfo(await getWasmFeatures());
  },

  /** Starts a run for each list of inputs without waiting for the previous one, and sends all outputs in order. */
  async runInParallel({ id, inputs }, key) {
    const arrays = await Promise.all(inputs.map(fetchInputs));
    const results = await Promise.all(arrays.map((one) => models.get(id).run(one)));
    await putArrays(dataOf(results.flat()), key);
  },

  /** Drops a model, and its id when `drop` is true (the default). */
  async dispose({ id, drop = true }) {
    models.get(id)?.dispose();
    if (drop) models.delete(id);
  },

  /** Drops all models. */
  async disposeAll() {
    for (const model of models.values()) model.dispose();
    models.clear();
  },
};

serveCalls(calls, import.meta.url);
