// @ts-check

/** The option `customOps` on models of floats, for test_custom_ops.py. */

import { pathToFileURL } from 'node:url';
import { isOfPackage, library, load } from './package.mjs';
import * as convolution from './transposed_convolution.mjs';

/** @typedef {import('./package.mjs').Options} Options */
/** @typedef {import('tflite-webnn').CustomOpTensor | undefined} Tensor */
/** @typedef {import('tflite-webnn').CustomOp} CustomOp */

const LIMITS = { maxTensorByteLength: 2 ** 31 - 1 };
const FOUR = Float32Array.of(1, 2, 3, 4);

/** @param {Tensor} tensor */
function floats(tensor) {
  if (tensor?.dtype !== 'float32') throw new TypeError(`${tensor?.dtype} is not float32`);
  return tensor.data;
}

/** @type {CustomOp} y = x * table, which repeats */
const scale = {
  run([x, table], [y]) {
    const factors = floats(table);
    floats(y).set(floats(x).map((value, index) => value * (factors[index % factors.length] ?? 0)));
  },
};

/** @type {CustomOp} */
const double = { run: ([x], [y]) => floats(y).set(floats(x).map((value) => 2 * value)) };

/** @param {string} file @param {Options['customOps']} customOps @param {Options} options */
const loadWith = (file, customOps, options) =>
  library.loadTFLiteModel(file, { numThreads: 1, ...(customOps && { customOps }), ...options });

/** @param {import('tflite-webnn').Model} model */
const outputOf = async (model, x = FOUR) => [...(await model.run(x.slice()))[0].data];

/** @param {string} file */
const opsNextTo = (file) => file.replace('model.tflite', 'ops.mjs');

/** What is compared of an error. @param {() => unknown} action */
async function errorOf(action) {
  try {
    await action();
    return null;
  } catch (error) {
    const { name, code, message, details, cause = null } = /** @type {any} */ (error);
    return {
      name,
      code,
      message,
      details,
      cause: cause && String(cause),
      isOfPackage: isOfPackage(/** @type {Error} */ (error)),
    };
  }
}

/** Runs a model with Scale twice. @param {string} file @param {Options} options @param {number[]} x */
export async function scaled(file, options, x) {
  const model = await loadWith(file, { Scale: scale }, options);
  const [first, second] = [await outputOf(model, Float32Array.from(x)), await outputOf(model, Float32Array.from(x))];
  const nodes = (await model.report()).nodes.map(({ op, placement, reason }) => [op, placement, reason]);
  return { first, second, mode: model.executionMode, nodes };
}

/** Runs both branches of a model with Double in each. -> the outputs, and the nodes that called the function */
export async function branches(/** @type {string} */ file, /** @type {Options} */ options) {
  /** @type {Set<string>} */
  const nodes = new Set();
  /** @type {CustomOp} */
  const counted = {
    run(inputs, outputs, node) {
      nodes.add(`${node.subgraph}:${node.index}`);
      double.run(inputs, outputs, node);
    },
  };
  const model = await loadWith(file, { Double: counted }, options);
  const results = [];
  for (const chosen of [1, 0]) {
    const [y] = await model.run([Uint8Array.of(chosen), FOUR.slice()]);
    results.push([...y.data]);
  }
  return [results, [...nodes]];
}

/** Runs a signature of another subgraph, and the model. @param {string} file @param {Options} options */
export async function otherSignature(file, options) {
  const model = await loadWith(file, { Double: double }, options);
  const { y } = await model.runSignature('other', { x: FOUR.slice() });
  return [...(y?.data ?? []), ...(await outputOf(model, Float32Array.of(1, 0, 0, 0)))];
}

/** @typedef {import('tflite-webnn').TFLiteModel} TFLiteModel */
const CALLS = {
  run: (/** @type {TFLiteModel} */ model, /** @type {Tensor} */ x) => model.run(floats(x).slice()),
  runSync: (/** @type {TFLiteModel} */ model, /** @type {Tensor} */ x) => model.runSync(floats(x).slice()),
  runSignature: (/** @type {TFLiteModel} */ model) => model.runSignature('main', {}),
  dispose: (/** @type {TFLiteModel} */ model) => model.dispose(),
};

/** Uses a model during its own run on threads. -> the number of threads, and the message of the error */
export async function useDuringRun(/** @type {string} */ file, /** @type {keyof typeof CALLS} */ call) {
  /** @type {ReturnType<typeof errorOf> | undefined} */
  let inner;
  /** @type {CustomOp} */
  const copy = {
    run([x], [y]) {
      inner = errorOf(() => CALLS[call](model, x));
      floats(y).set(floats(x));
    },
  };
  const model = await loadWith(file, { Copy: copy }, { device: 'cpu', numThreads: 3 });
  await model.run(new Float32Array(16 * 1024));
  return [(await model.report()).threads.used, (await inner)?.message];
}

const ADDRESSES = {
  URL: (/** @type {string} */ path) => pathToFileURL(path),
  address: (/** @type {string} */ path) => pathToFileURL(path).href,
  path: (/** @type {string} */ path) => path,
};

/** -> the outputs with ops.mjs next to the model, here and in a worker */
export async function opsOfModule(/** @type {string} */ file, /** @type {keyof typeof ADDRESSES} */ kind) {
  const customOps = ADDRESSES[kind](opsNextTo(file));
  const worker = new library.TFLiteWorker();
  const models = [await loadWith(file, customOps, {}), await worker.loadTFLiteModel(file, { customOps })];
  const results = [];
  for (const model of models) results.push(await outputOf(model));
  worker.dispose();
  return results;
}

/** -> in a worker, the errors of a function of ops.mjs that throws, and of functions as the option */
export async function errorsInWorker(/** @type {string} */ file) {
  const worker = new library.TFLiteWorker();
  const model = await worker.loadTFLiteModel(file, { customOps: pathToFileURL(opsNextTo(file)) });
  const ran = await errorOf(() => outputOf(model));
  const provided = await errorOf(() => worker.loadTFLiteModel(file, { customOps: { Mine: { run() {} } } }));
  worker.dispose();
  return [ran, provided];
}

/** -> the error of loading with ops.mjs @param {string} file */
export const errorOfModule = (file) => errorOf(() => loadWith(file, pathToFileURL(opsNextTo(file)), {}));

/** -> the output with each of the options @param {string} file @param {string} op @param {Options[]} executions */
export async function doubled(file, op, executions) {
  const results = [];
  for (const options of executions) results.push(await outputOf(await loadWith(file, { [op]: double }, options)));
  return results;
}

/** -> the outputs by the kernel and in JavaScript, with each of the options, and the calls of the function */
export async function ofKernelAndFunction(
  /** @type {string} */ file,
  /** @type {number[]} */ x,
  /** @type {Options[]} */ executions,
) {
  const results = [];
  const op = /** @type {CustomOp} */ (/** @type {unknown} */ (convolution.transposedConvolution));
  for (const customOps of [undefined, { Convolution2DTransposeBias: op }]) {
    for (const options of executions) {
      results.push(await outputOf(await loadWith(file, customOps, options), Float32Array.from(x)));
    }
  }
  return [results, convolution.calls];
}

/** @type {() => Promise<typeof import('tflite-webnn/explain')>} */
const explain = () => load('node/explain.mjs');

/** -> op, placement and reason of the second node of a model with Scale @param {string} file */
export async function explained(file) {
  const { explainModel } = await explain();
  const { report } = await explainModel(file, LIMITS, { customOps: { Scale: scale } });
  return report.nodes.map(({ op, placement, reason }) => [op, placement, reason])[1];
}

/** -> what the report and the memory plan have of a model with an unknown op @param {string} file */
export async function explainedAndPlanned(file) {
  const { explainModel, planMemory } = await explain();
  const { report, unsupported } = await explainModel(file, LIMITS);
  const { subgraphs } = await planMemory(file);
  const modes = report.subgraphs.map(({ executionMode }) => executionMode);
  const planned = subgraphs.map(({ index }) => index);
  return { nodes: report.nodes.map(({ op }) => op), modes, unsupported, planned };
}
