/**
 * Measures models on a GPU in Node, with Dawn as navigator.gpu: `node --expose-gc check.mjs RESULT.json`, in a
 * directory that benchmarks/gpu/pack.py has written. benchmarks/gpu/result.py describes the result.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { chain, exchange, exchanged, lose, setUp, used } from './gpu_tensors.mjs';

const DIRECTORY = fileURLToPath(new URL('.', import.meta.url));
const ARRAYS = { float32: Float32Array, int32: Int32Array, int8: Int8Array, uint8: Uint8Array };
const WARM_UPS = 3;
const MEMORY_RUNS = 150;

const plan = JSON.parse(read('plan.json'));
const devices = [];
const libraries = {};
installWebgpu();
installScriptLoader();
const adapter = await navigator.gpu.requestAdapter();
if (adapter === null) fail('WebGPU has no adapter: is the Vulkan driver installed? VK_DRIVER_FILES names its .json file.');
const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
const result = {
  started: `${new Date().toISOString().slice(0, 19)}+00:00`,
  revision: plan.revision,
  load_average: [os.loadavg()[0], os.loadavg()[0]],
  adapter: { vendor, architecture, device, description, software: isFallbackAdapter },
  card: output('nvidia-smi', '--query-gpu=name,driver_version', '--format=csv,noheader'),
  processor: os.cpus()[0].model,
  cores: os.cpus().length,
  node: process.version,
  dawn: plan.dawn,
  runtimes: plan.runtimes.map(({ name, version }) => ({ name, version })),
  speed: [],
  checks: [],
};
save();
const { loadTFLiteModel } = await import('./package/index.mjs');
const { webnnOf } = await import('./package/polyfill.mjs');
const ON_GPU = { enableWebnnDelegate: true, webnnDelegateOptions: { polyfill: 'webgpu', ignorePartitionCost: true } };
await check('the device preference gpu selects', preference);
await check('200 chained dispatches', dispatches);
await check('exportToGPU', exports);
await check('a lost device', loss);
await check('a model after the loss of its device', recovery);
await check(`memory over ${MEMORY_RUNS} runs`, memory);
// Times of a GPU in software tell nothing: a run each.
const rounds = isFallbackAdapter ? 1 : plan.rounds;
for (const model of plan.models) await measure(model);
process.exit(0);

/** Measures a model on each runtime, interleaved; every other round is in reverse order. */
async function measure(model) {
  console.error(model.name);
  const inputs = model.inputs.map(({ file, dtype }) => array(file, dtype));
  const opened = [];
  for (const runtime of plan.runtimes) {
    const row = { model: model.name, runtime: runtime.name };
    const file = model.forms[runtime.form];
    if (file === undefined) result.speed.push({ ...row, failure: model.missing });
    else await open(runtime, file, model, inputs, row, opened);
    save();
  }
  const end = performance.now() + 1000 * plan.seconds;
  for (let round = 0; round < rounds && performance.now() < end; round++) {
    for (const { row, run } of round % 2 ? opened.toReversed() : opened) {
      const start = performance.now();
      await run(inputs);
      row.ms.push(rounded(performance.now() - start));
    }
  }
  for (const { dispose } of opened) await dispose();
  save();
}

async function open(runtime, file, model, inputs, row, opened) {
  try {
    const adapter = await import(`./${runtime.adapter}`);
    libraries[runtime.name] ??= await adapter.open({ ...runtime.open, directory: DIRECTORY + runtime.open.directory });
    const start = performance.now();
    const loaded = await libraries[runtime.name].load({ url: bytes(file), inputs: model.inputs, options: runtime.load });
    const atLoad = performance.now();
    const outputs = (await loaded.run(inputs)).map((data) => data.slice());
    const first = performance.now() - atLoad;
    const error = errorOf(inOrder(outputs, loaded.outputNames, model.outputs), model.outputs);
    for (let run = 0; run < Math.min(WARM_UPS, rounds - 1); run++) await loaded.run(inputs);
    const mode = loaded.report?.executionMode ?? '';
    const measured = { ...row, mode, error, limit: model.limits[runtime.limit], load_ms: rounded(atLoad - start) };
    const entry = { row: { ...measured, first_ms: rounded(first), ms: [] }, run: loaded.run, dispose: loaded.dispose };
    result.speed.push(entry.row);
    opened.push(entry);
  } catch (error) {
    result.speed.push({ ...row, failure: textOf(error) });
  }
}

/** Outputs in the order of the expected ones: by name, else by size, else unchanged. */
function inOrder(outputs, names, expected) {
  const byName = expected.map(({ name }) => outputs[names.indexOf(name)]);
  if (!byName.includes(undefined)) return byName;
  const left = [...outputs];
  return expected.map(({ size }) => left.splice(Math.max(0, left.findIndex(({ length }) => length === size)), 1)[0]);
}

/** The largest difference from native LiteRT, over the output's range; null if there is no number. */
function errorOf(outputs, expected) {
  let largest = 0;
  expected.forEach(({ file, dtype, range }, position) => {
    const found = outputs[position];
    array(file, dtype).forEach((value, index) => {
      const error = Math.abs(found[index] - value) / range;
      largest = error <= largest ? largest : error; // NaN is kept
    });
  });
  return Number.isFinite(largest) ? largest : null;
}

/** Runs a check, which returns whether it passed and a text. */
async function check(name, run) {
  console.error(name);
  const [passed, detail] = await run().catch((error) => [false, textOf(error)]);
  result.checks.push({ name, passed, detail });
  save();
}

/** A software GPU is not chosen. */
async function preference() {
  const options = { enableWebnnDelegate: true, webnnDelegateOptions: { devicePreference: 'gpu' } };
  const model = await loadTFLiteModel(bytes(plan.models[0].forms.tflite), options);
  const { backend } = (await model.report()).webnn;
  const found = `${backend ?? 'no WebNN'}, mode ${model.executionMode}`;
  await model.dispose();
  return [String(backend).includes('webgpu') !== isFallbackAdapter, found];
}

async function dispatches() {
  const it = await setUp(webnnOf, 'webgpu');
  const found = [await chain(it)];
  const before = JSON.stringify(used());
  found.push(await chain(it));
  return [String(found) === '150,50' && JSON.stringify(used()) === before, `${found}; ${before} before and after`];
}

async function exports() {
  const found = await exchange(await setUp(webnnOf, 'webgpu'));
  return [String(found) === String(exchanged()), String(found)];
}

async function loss() {
  const { message, error } = await lose(await setUp(webnnOf, 'webgpu'));
  const again = await chain(await setUp(webnnOf, 'webgpu'));
  const passed = message.includes('was lost') && error === 'InvalidStateError' && again === 150;
  return [passed, `${message}; a read: ${error}; a new context: ${again}`];
}

async function recovery() {
  const [model] = plan.models;
  const inputs = model.inputs.map(({ file, dtype }) => array(file, dtype));
  const loaded = await loadTFLiteModel(bytes(model.forms.tflite), ON_GPU);
  const run = async () => errorOf((await loaded.run(inputs)).map(({ data }) => data), model.outputs);
  const before = await run();
  devices.at(-1).destroy();
  const after = await run();
  const { webnn } = await loaded.report();
  const where = `mode ${loaded.executionMode}${webnn.used ? '' : ` (${webnn.reason})`}`;
  await loaded.dispose();
  return [after !== null && after <= model.limits.gpu + before, `error ${before} before, ${after} after, ${where}`];
}

/** After warm-ups the engine's own memory must not grow; the process and the card are for the reader. */
async function memory() {
  const [model] = plan.models;
  const inputs = model.inputs.map(({ file, dtype }) => array(file, dtype));
  const loaded = await loadTFLiteModel(bytes(model.forms.tflite), ON_GPU);
  for (let run = 0; run < 20; run++) await loaded.run(inputs);
  const before = state();
  for (let run = 0; run < MEMORY_RUNS; run++) await loaded.run(inputs);
  const after = state();
  await loaded.dispose();
  const text = ({ engine, process, card }) => `engine ${engine}, process ${process} MB${card && `, card ${card}`}`;
  return [before.engine === after.engine, `${model.name}: ${text(before)}; then ${text(after)}`];
}

function state() {
  globalThis.gc();
  return {
    engine: `${used().numTensors} tensors, ${used().numBytesInGPU} bytes`,
    process: Math.round(process.memoryUsage().rss / 1e6),
    card: output('nvidia-smi', '--query-gpu=memory.used', '--format=csv,noheader'),
  };
}

function installWebgpu() {
  const { create, globals } = createRequire(import.meta.url)('./dawn.node');
  Object.assign(globalThis, globals);
  Object.defineProperty(navigator, 'gpu', { value: create([]), configurable: true });
  const { requestDevice } = GPUAdapter.prototype;
  GPUAdapter.prototype.requestDevice = async function (...all) {
    devices.push(await requestDevice.apply(this, all));
    return devices.at(-1);
  };
  // Browsers accept views of shared memory, as onnxruntime-web's is; Dawn for Node does not.
  const { writeBuffer } = GPUQueue.prototype;
  GPUQueue.prototype.writeBuffer = function (buffer, offset, data, ...more) {
    const isShared = (data.buffer ?? data) instanceof SharedArrayBuffer;
    const view = ArrayBuffer.isView(data) ? data : new Uint8Array(data);
    return writeBuffer.call(this, buffer, offset, isShared ? view.slice() : data, ...more);
  };
}

/** LiteRT.js loads scripts as a worker does. */
function installScriptLoader() {
  globalThis.self = globalThis;
  globalThis.require = createRequire(import.meta.url);
  globalThis.__dirname = DIRECTORY;
  globalThis.__filename = `${DIRECTORY}script.js`;
  globalThis.importScripts = (file) => {
    const text = `${readFileSync(file, 'utf8')};globalThis.ModuleFactory = ModuleFactory;`;
    vm.runInThisContext(text, { filename: String(file) });
  };
}

function read(file) {
  return readFileSync(DIRECTORY + file);
}

function bytes(file) {
  return new Uint8Array(read(file));
}

function array(file, dtype) {
  return new ARRAYS[dtype](bytes(file).buffer);
}

function rounded(ms) {
  return Number(ms.toPrecision(4));
}

function textOf(error) {
  return String(error?.message ?? error).replaceAll('\n', ' ').slice(0, 500);
}

/** The output of a program of this machine; empty if it is missing. */
function output(program, ...options) {
  try {
    return execFileSync(program, options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

function save() {
  result.load_average[1] = os.loadavg()[0];
  writeFileSync(process.argv[2], JSON.stringify(result));
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
