// The page's half of web_tests/harness.py: loads the built package as a user's page would, and does what Python asks.
//
// Python calls `harness.handle({ key, call, args })` without waiting; the answer is PUT to /exchange/KEY as JSON,
// { value } or { error }. So a page that hangs or crashes costs Python a timeout, not its own life.
// Arrays travel as raw little-endian bytes through /exchange.

const ARRAY_OF = {
  float32: Float32Array,
  float64: Float64Array,
  float16: globalThis.Float16Array ?? Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int8: Int8Array,
  uint8: Uint8Array,
  bool: Uint8Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
};

const models = new Map();
let modelCount = 0;
let library;

/** Imports the package once. A failed import is an answer like any other error. */
async function packageModule() {
  library ??= await import('/package/index.mjs');
  return library;
}

async function fetchArray({ url, dtype, shape }) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`harness: ${url} answered ${response.status}`);
  const array = new ARRAY_OF[dtype](await response.arrayBuffer());
  return shape ? { data: array, shape } : array;
}

async function fetchInputs(inputs) {
  if (Array.isArray(inputs)) return Promise.all(inputs.map(fetchArray));
  const entries = Object.entries(inputs).map(async ([name, input]) => [name, await fetchArray(input)]);
  return Object.fromEntries(await Promise.all(entries));
}

async function putArrays(arrays, key) {
  await Promise.all(
    arrays.map((array, index) => fetch(`/exchange/${key}/${index}`, { method: 'PUT', body: array })),
  );
}

async function importScript(url) {
  const text = await (await fetch(url)).text();
  return import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
}

/** The first graph of a script that `build.py explain --export` wrote, used as by hand: write, dispatch, read. */
class HandWritten {
  static async load(url) {
    const { build, describe: descriptorsOf } = await importScript(url);
    const context = await navigator.ml.createContext();
    const [graph] = await build(context);
    const [{ inputs, outputs }] = descriptorsOf();
    return new HandWritten(context, graph, await tensorsOf(inputs, 'writable'), await tensorsOf(outputs, 'readable'));

    async function tensorsOf(descriptors, flag) {
      const tensors = {};
      for (const [name, descriptor] of Object.entries(descriptors)) {
        tensors[name] = await context.createTensor({ ...descriptor, [flag]: true });
      }
      return tensors;
    }
  }

  constructor(context, graph, inputTensors, outputTensors) {
    Object.assign(this, { context, graph, inputTensors, outputTensors });
    this.names = { inputs: Object.keys(inputTensors), outputs: Object.keys(outputTensors) };
    /** The results, by name. */
    this.outputs = {};
    for (const [name, { dataType, shape }] of Object.entries(outputTensors)) {
      this.outputs[name] = new ARRAY_OF[dataType](shape.reduce((product, size) => product * size, 1));
    }
  }

  /** Runs once with arrays by name. */
  async run(inputs) {
    const { context, inputTensors, outputTensors } = this;
    for (const name of this.names.inputs) context.writeTensor(inputTensors[name], inputs[name]);
    context.dispatch(this.graph, inputTensors, outputTensors);
    if (this.names.outputs.length === 1) {
      const [name] = this.names.outputs;
      await context.readTensor(outputTensors[name], this.outputs[name]);
    } else {
      await Promise.all(this.names.outputs.map((name) => context.readTensor(outputTensors[name], this.outputs[name])));
    }
  }

  destroy() {
    this.context.destroy();
  }
}

const calls = {
  /** Loads a model: { source, options } -> { id, inputs, outputs, executionMode, report, loadMs }. */
  async load({ source, options }) {
    const { loadTFLiteModel } = await packageModule();
    const start = performance.now();
    const model = await loadTFLiteModel(source, options);
    const loadMs = performance.now() - start;
    const id = ++modelCount;
    models.set(id, model);
    const { inputs, outputs, executionMode, report } = model;
    return { id, inputs, outputs, executionMode, report, loadMs };
  },

  /** The report on a model as it is now. */
  async report({ id }) {
    return models.get(id).report;
  },

  /** The same as text. */
  async renderReport({ id }) {
    const { renderReport } = await packageModule();
    return renderReport(models.get(id).report);
  },

  /** Runs a model; its outputs are PUT to /exchange/KEY/INDEX. -> the number of outputs. */
  async run({ id, inputs }, key) {
    const outputs = await models.get(id).run(await fetchInputs(inputs));
    await putArrays(outputs, key);
    return outputs.length;
  },

  /** Runs a model by predict(), before anything else happens; its outputs are PUT to /exchange/KEY/INDEX. */
  async predict({ id, inputs }, key) {
    const model = models.get(id);
    const result = model.predict(await fetchInputs(inputs));
    await putArrays(model.outputs.length === 1 ? [result] : model.outputs.map(({ name }) => result[name]), key);
  },

  /** Runs a signature; its outputs are PUT to /exchange/KEY/INDEX. -> their numpy dtypes by name, in order. */
  async runSignature({ id, signature, inputs }, key) {
    const outputs = await models.get(id).runSignature(signature, await fetchInputs(inputs));
    await putArrays(Object.values(outputs), key);
    const dtypeOf = (array) => Object.keys(ARRAY_OF).find((dtype) => array instanceof ARRAY_OF[dtype]);
    return Object.fromEntries(Object.entries(outputs).map(([name, array]) => [name, dtypeOf(array)]));
  },

  /** Gives the inputs other shapes. -> what load() gives of the model. */
  async resizeInputs({ id, shapes }) {
    const model = models.get(id);
    await model.resizeInputs(shapes);
    const { inputs, outputs, executionMode, report } = model;
    return { inputs, outputs, executionMode, report };
  },

  /** Clears the state. */
  async resetState({ id }) {
    await models.get(id).resetState();
  },

  /** The profile of the last run. */
  async profile({ id }) {
    return { items: models.get(id).getProfilingResults(), summary: models.get(id).getProfilingSummary() };
  },

  /** Runs the first graph of an exported script: { script, inputs by name } -> names of its outputs, which are PUT. */
  async runExported({ script, inputs }, key) {
    const twin = await HandWritten.load(script);
    await twin.run(await fetchInputs(inputs));
    await putArrays(Object.values(twin.outputs), key);
    twin.destroy();
    return Object.keys(twin.outputs);
  },

  /**
   * Times model.run() against the same graph written by hand, an exported script, in turn:
   * { id, script, inputs, rounds, warmupRounds } -> { package, byHand }: ms by round.
   */
  async measureOverhead({ id, script, inputs, rounds, warmupRounds }) {
    const model = models.get(id);
    const arrays = await fetchInputs(inputs);
    const outputs = await model.run(arrays);
    const twin = await HandWritten.load(script);
    const named = Object.fromEntries(model.inputs.map(({ index }, position) => [`t${index}`, arrays[position]]));
    const sides = [
      { name: 'package', run: () => model.run(arrays, outputs), times: [] },
      { name: 'byHand', run: () => twin.run(named), times: [] },
    ];
    for (let round = -warmupRounds; round < rounds; round++) {
      for (const { run, times } of round % 2 === 0 ? sides : sides.toReversed()) {
        const start = performance.now();
        await run();
        if (round >= 0) times.push(performance.now() - start);
      }
    }
    model.outputs.forEach(({ name, index }, position) => {
      const same = outputs[position].every((value, at) => Object.is(value, twin.outputs[`t${index}`][at]));
      if (!same) throw new Error(`harness: the graph written by hand computes another ${name}`);
    });
    twin.destroy();
    return Object.fromEntries(sides.map(({ name, times }) => [name, times]));
  },

  /** Times several models in turn: { entrants: [{ id, inputs }], rounds, warmupRounds } -> ms[entrant][round]. */
  async measure({ entrants: descriptions, rounds, warmupRounds }) {
    const entrants = await Promise.all(
      descriptions.map(async ({ id, inputs }) => {
        return { model: models.get(id), inputs: await fetchInputs(inputs), times: [], outputs: undefined };
      }),
    );
    for (let round = -warmupRounds; round < rounds; round++) {
      // Every other round runs backwards: neither model always finds the caches warmed by the other.
      for (const entrant of round % 2 === 0 ? entrants : entrants.toReversed()) {
        const start = performance.now();
        entrant.outputs = await entrant.model.run(entrant.inputs, entrant.outputs);
        if (round >= 0) entrant.times.push(performance.now() - start);
      }
    }
    return entrants.map((entrant) => entrant.times);
  },

  /** Two runs started at the same time, for the error that this must give. */
  async runTwiceAtOnce({ id, inputs }) {
    const arrays = await fetchInputs(inputs);
    const both = await Promise.allSettled([models.get(id).run(arrays), models.get(id).run(arrays)]);
    return both.map(({ status, reason }) => (reason ? describe(reason) : status));
  },

  /** Disposes a model while it runs -> "fulfilled" or the error of the run. */
  async disposeWhileRunning({ id, inputs }) {
    const arrays = await fetchInputs(inputs);
    const run = models.get(id).run(arrays);
    models.get(id).dispose();
    const [{ status, reason }] = await Promise.allSettled([run]);
    return reason ? describe(reason) : status;
  },

  /** Drops a model, and forgets it when `forget` is true (the default). */
  async dispose({ id, forget = true }) {
    models.get(id)?.dispose();
    if (forget) models.delete(id);
  },

  /** Drops all models. */
  async disposeAll() {
    for (const model of models.values()) model.dispose();
    models.clear();
  },
};

function describe(error) {
  const isError = error instanceof Error;
  const cause = isError && error.cause ? describe(error.cause) : null;
  return isError
    ? { name: error.name, code: String(error.code ?? ''), message: error.message, cause }
    : { name: typeof error, code: '', message: String(error), cause };
}

async function handle({ key, call, args }) {
  let answer;
  try {
    answer = { value: (await calls[call](args, key)) ?? null };
  } catch (error) {
    answer = { error: describe(error) };
  }
  await fetch(`/exchange/${key}`, { method: 'PUT', body: JSON.stringify(answer) });
}

if (globalThis.document === undefined) {
  globalThis.onmessage = ({ data }) => handle(data);
  globalThis.postMessage('ready');
} else if (new URLSearchParams(location.search).has('worker')) {
  // The same in a worker: the page only hands on what it is asked.
  const worker = new Worker(import.meta.url, { type: 'module' });
  worker.onmessage = () => {
    globalThis.harness = { handle: (request) => worker.postMessage(request) };
  };
  worker.onerror = ({ message }) => reportError(new Error(`the harness worker failed: ${message}`));
} else {
  globalThis.harness = { handle };
}
