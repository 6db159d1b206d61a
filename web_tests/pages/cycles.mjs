// Repeatedly loads, runs and disposes of models, and counts the wasm memory.

import { loadTFLiteModel } from '/package/index.mjs';

/** The memories of all wasm instances that may still be referenced. */
const memories = new Set();
const held = [];
const files = new Map();

const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...args) => {
  const result = await instantiate.apply(WebAssembly, args);
  const { exports } = result.instance ?? result;
  // A module with threads imports its memory.
  const imports = Object.values(args[1]).flatMap(Object.values);
  for (const thing of [...Object.values(exports), ...imports]) {
    if (thing instanceof WebAssembly.Memory) memories.add(new WeakRef(thing));
  }
  return result;
};

/** Bytes of reachable wasm memory. */
export function wasmBytes() {
  let sum = 0;
  for (const reference of memories) {
    const memory = reference.deref();
    if (memory === undefined) memories.delete(reference);
    else sum += memory.buffer.byteLength;
  }
  return sum;
}

/** Loads models, { url, options } each, runs each of them once, and keeps them until release(). -> execution modes */
export async function hold(models) {
  for (const { url, options } of models) held.push(await loadAndRun(url, options));
  return held.map(({ executionMode }) => executionMode);
}

/** The same with one downloaded model; as a stream, its size is unknown until its end. */
export async function holdDownload(url, options, isSizeKnown) {
  const model = await loadTFLiteModel(isSizeKnown ? url : (await fetch(url)).body, options);
  held.push(model);
  return model.executionMode;
}

/** The same with a language model, which prefills `count` tokens and decodes one. -> execution modes of both signatures */
export async function holdDecoder(url, options, count) {
  const model = await loadTFLiteModel(url, options);
  held.push(model);
  const state = await model.createState();
  const positions = Int32Array.from({ length: count + 1 }, (_, index) => index);
  for (const [key, input_pos] of [['prefill', positions.subarray(0, count)], ['decode', positions.subarray(count)]]) {
    await model.runSignature(key, { tokens: input_pos, input_pos }, { state });
  }
  return [model.executionMode, ...(await model.report()).subgraphs.map(({ executionMode }) => executionMode)];
}

/** Runs the held model on ones. -> its first output, and the number of lost contexts */
export async function runHeld() {
  const [model] = held;
  const [output] = await model.run(model.inputs.map(({ sizeBytes }) => new Float32Array(sizeBytes / 4).fill(1)));
  return { output: [...output.data], losses: (await model.report()).webnn.contextLosses };
}

/** Disposes of the models of hold(). */
export function release() {
  for (const model of held.splice(0)) model.dispose();
}

/** Drops the models of hold() without disposing of them. */
export function drop() {
  held.length = 0;
}

/** `count` times: loads each of the models, runs it, disposes of it. */
export async function cycle(models, count) {
  for (let iteration = 0; iteration < count; iteration++) {
    for (const { url, options } of models) (await loadAndRun(url, options)).dispose();
  }
}

async function loadAndRun(url, options) {
  if (!files.has(url)) files.set(url, new Uint8Array(await (await fetch(url)).arrayBuffer()));
  const model = await loadTFLiteModel(files.get(url), options);
  await model.run(model.inputs.map(({ dtype, sizeBytes }) => zeros(dtype, sizeBytes)));
  return model;
}

function zeros(dtype, sizeBytes) {
  const buffer = new ArrayBuffer(sizeBytes);
  return dtype === 'float32' ? new Float32Array(buffer) : new Int8Array(buffer);
}
