// Calls of the unmodified @tensorflow/tfjs-tflite, in a page or in a worker (`?worker`), where it may wait for WebNN.

const CLIENT = ['/tfjs/tf-core.min.js', '/tfjs/tf-backend-cpu.min.js', '/tfjs/tf-tflite.min.js'];

const ARRAYS = {
  float32: Float32Array,
  int8: Int8Array,
  uint8: Uint8Array,
  bool: Uint8Array,
  int16: Int16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
};
const models = [];

/** Loads a model with the wasm files of a directory; resolves to its number and the client's description. */
async function load({ wasmPath, url, options }) {
  tflite.setWasmPath(wasmPath);
  const model = await tflite.loadTFLiteModel(url, options);
  return { id: models.push(model) - 1, inputs: model.inputs, outputs: model.outputs };
}

/** Runs a model on arrays of the server's mailbox; puts the outputs there, in the order of model.outputs. */
async function predict({ id, inputs, key }) {
  const model = models[id];
  const tensors = await Promise.all(inputs.map(toTensor));
  const result = model.predict(tensors.length === 1 ? tensors[0] : tensors);
  await Promise.all(
    model.outputs.map(({ name }, index) => {
      const body = (model.outputs.length === 1 ? result : result[name]).dataSync();
      return fetch(`/exchange/${key}/${index}`, { method: 'PUT', body });
    }),
  );
}

/** tfjs has no integers narrower than int32. */
async function toTensor({ url, dtype, shape }) {
  const values = new ARRAYS[dtype](await (await fetch(url)).arrayBuffer());
  return dtype === 'float32' ? tf.tensor(values, shape) : tf.tensor(Int32Array.from(values, Number), shape, 'int32');
}

function profile({ id }) {
  return { results: models[id].getProfilingResults(), summary: models[id].getProfilingSummary() };
}

/** Disposes like the client: TFLiteModel has no dispose(), its runner has. */
function cleanUp({ id }) {
  models[id].modelRunner.cleanUp();
}

/** Runs a task of the task library on an image of the server's mailbox; resolves to the client's result. */
async function runTask({ task, method, wasmPath, url, options, image }) {
  tflite.setWasmPath(wasmPath);
  const client = await tflite[task].create(url, options);
  const pixels = new Uint8ClampedArray(await (await fetch(image.url)).arrayBuffer());
  const result = client[method](new ImageData(pixels, image.width, image.height));
  client.cleanUp();
  return result.map((row) => ('categoryMask' in row ? { ...row, categoryMask: Array.from(row.categoryMask) } : row));
}

/** Embind shows a position by accessors, which no message carries. */
function cloneable(row) {
  if (!('pos' in row)) return row;
  const { start, end, logit } = row.pos;
  return { ...row, pos: { start, end, logit } };
}

/** Runs a task on text for each row of arguments. */
async function runTextTask({ task, method, wasmPath, url, options, texts }) {
  tflite.setWasmPath(wasmPath);
  const client = await tflite[task].create(url, options ?? undefined);
  const results = texts.map((row) => client[method](...row).map(cloneable));
  client.cleanUp();
  return results;
}

const calls = { load, predict, profile, cleanUp, runTask, runTextTask };

if (globalThis.document === undefined) {
  importScripts(...CLIENT);
  globalThis.onmessage = async ({ data: { call, args }, ports: [port] }) => {
    try {
      port.postMessage({ value: await calls[call](args) });
    } catch (error) {
      port.postMessage({ error: error.message });
    }
  };
} else if (new URLSearchParams(location.search).has('worker')) {
  const worker = new Worker('/tfjs_tflite.js');
  for (const call of Object.keys(calls)) {
    globalThis[call] = (args) =>
      new Promise((resolve, reject) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => ('error' in data ? reject(new Error(data.error)) : resolve(data.value));
        worker.postMessage({ call, args }, [port2]);
      });
  }
}
