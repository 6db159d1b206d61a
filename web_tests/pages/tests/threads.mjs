// @ts-check

/** What test_threads.py does in a page whose class Worker is replaced. */

import { loadTFLiteModel } from '/package/index.mjs';

/** @typedef {import('tflite-webnn').TFLiteModelOptions} TFLiteModelOptions */

const { Worker } = globalThis;
const input = new Float32Array(192 * 192 * 3);

/** Loads a model whose runs are long enough for threads. @param {TFLiteModelOptions} options */
const load = (options) => loadTFLiteModel('/models/face_landmark_f32.tflite', { device: 'cpu', ...options });

/**
 * @template Result
 * @param {unknown} replacement of the class
 * @param {() => Promise<Result>} run
 */
async function withWorker(replacement, run) {
  Object.assign(globalThis, { Worker: replacement });
  try {
    return await run();
  } finally {
    globalThis.Worker = Worker;
  }
}

/** Workers that fail like under a policy against them: with an event, which Emscripten waits out. */
class ForbiddenWorker extends EventTarget {
  constructor() {
    super();
    setTimeout(() => this.dispatchEvent(new Event('error')));
  }
  postMessage() {}
  terminate() {}
}

/** Counts the workers that start and end. */
function countedWorkers() {
  const counts = { started: 0, ended: 0 };
  class CountedWorker extends Worker {
    /** @param {ConstructorParameters<typeof Worker>} args */
    constructor(...args) {
      super(...args);
      counts.started++;
    }
    /** @override */
    terminate() {
      counts.ended++;
      super.terminate();
    }
  }
  return { counts, CountedWorker };
}

/** A model whose threads cannot start. @param {number} numThreads */
export const withoutWorkers = (numThreads) =>
  withWorker(ForbiddenWorker, async () => {
    const model = await load({ numThreads });
    const { threads } = await model.report();
    const [score] = await model.run(input);
    model.dispose();
    return { threads, isNumber: Number.isFinite(score.data[0]) };
  });

/** A model whose workers get their messages after its first run. @param {number} numThreads */
export async function runBeforeThreadsStart(numThreads) {
  /** @type {() => void} */
  let start = () => {};
  const starting = new Promise((resolve) => {
    start = () => resolve(undefined);
  });
  class LateWorker extends Worker {
    /** @override @param {any[]} args */
    postMessage(...args) {
      // @ts-expect-error the arguments of either form
      starting.then(() => super.postMessage(...args));
    }
  }
  return withWorker(LateWorker, async () => {
    const model = await load({ numThreads });
    const [before] = await model.run(input);
    start();
    const { used } = (await model.report()).threads;
    const [after] = await model.run(input);
    model.dispose();
    return { used, isSame: String(before.data) === String(after.data) };
  });
}

/** -> the workers of a disposed model that have started and ended @param {number} numThreads */
export function disposed(numThreads) {
  const { counts, CountedWorker } = countedWorkers();
  return withWorker(CountedWorker, async () => {
    const model = await load({ numThreads });
    await model.run(input);
    model.dispose();
    return counts;
  });
}

/** Three models that run in parallel, and one that is disposed of before the others. @param {number} numThreads */
export function onePool(numThreads) {
  const { counts, CountedWorker } = countedWorkers();
  return withWorker(CountedWorker, async () => {
    const models = await Promise.all([load({ numThreads }), load({ numThreads }), load({ numThreads })]);
    const [first, ...others] = models;
    const outputsOf = (/** @type {import('tflite-webnn').Model[]} */ all) =>
      Promise.all(all.map(async (model) => [...(await model.run(input))[0].data]));
    const before = await outputsOf(models);
    const used = await Promise.all(models.map(async (model) => (await model.report()).threads.used));
    first.dispose();
    const endedEarly = counts.ended;
    const after = await outputsOf(others);
    for (const model of others) model.dispose();
    const isSame = [...before, ...after].every((values) => String(values) === String(before[0]));
    return { ...counts, endedEarly, used, isSame };
  });
}
