/** Unmodified programs on the polyfill: each computes with and without WebNN; for test_polyfill_programs.py. */
import { install } from '/package/polyfill.mjs';

await install();

/** Built graphs, as the number of calls of each method of MLGraphBuilder. */
const calls = {};
for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(MLGraphBuilder.prototype))) {
  if (typeof value !== 'function' || name === 'constructor') continue;
  MLGraphBuilder.prototype[name] = function (...args) {
    calls[name] = (calls[name] ?? 0) + 1;
    return value.apply(this, args);
  };
}

const waves = (shape) => Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(i));

/** Whether wasm of `program` trapped without our code on the stack: its own call then never ends. */
function trapIn(program) {
  return new Promise((resolve) => {
    addEventListener('unhandledrejection', ({ reason }) => {
      const stack = `${reason?.stack}`;
      if (!(reason instanceof WebAssembly.RuntimeError) || !stack.includes(program) || stack.includes('/package/')) return;
      resolve({ trap: String(reason), stack });
    });
  });
}

/** onnxruntime-web: the first output of a model, on its CPU and by its WebNN execution provider; or its own trap. */
export const runOnnx = (...args) => Promise.race([onnxValues(...args), trapIn('/programs/ort-wasm')]);

async function onnxValues(model, shape, freeDimensionOverrides) {
  const ort = await import('/programs/ort.all.bundle.min.mjs');
  ort.env.wasm.wasmPaths = '/programs/';
  ort.env.wasm.numThreads = 1;
  // By itself it creates a context only in browsers with WebGPU, whose GPUDevice it names.
  const context = 'GPUDevice' in globalThis ? undefined : await navigator.ml.createContext();
  const values = {};
  for (const [name, provider] of [['cpu', 'wasm'], ['webnn', { name: 'webnn', deviceType: 'cpu', context }]]) {
    const options = { executionProviders: [provider], freeDimensionOverrides, logSeverityLevel: 3 };
    const session = await ort.InferenceSession.create(`/programs/${model}`, options);
    const input = new ort.Tensor('float32', waves(shape), shape);
    const results = await session.run({ [session.inputNames[0]]: input });
    values[name] = [...results[session.outputNames[0]].data];
    await session.release();
  }
  return { ...values, calls };
}

/** onnxruntime-web: creates, runs and releases `count` sessions of a model, one after the other. -> the number of them */
export async function cycleOnnx(model, shape, count) {
  const ort = await import('/programs/ort.all.bundle.min.mjs');
  ort.env.wasm.wasmPaths = '/programs/';
  ort.env.wasm.numThreads = 1;
  const content = new Uint8Array(await (await fetch(`/programs/${model}`)).arrayBuffer());
  const first = [];
  for (let done = 0; done < count; done++) {
    const options = { executionProviders: [{ name: 'webnn', deviceType: 'cpu' }], logSeverityLevel: 3 };
    const session = await ort.InferenceSession.create(content, options);
    const results = await session.run({ [session.inputNames[0]]: new ort.Tensor('float32', waves(shape), shape) });
    const values = [...results[session.outputNames[0]].data];
    if (done === 0) first.push(...values);
    if (values.some((value, index) => value !== first[index])) throw new Error(`session ${done} computes ${values}`);
    await session.release();
  }
  return calls.build;
}

/** LiteRT.js: the first output of a model, on its CPU and by its WebNN accelerator. */
export async function runLiteRt(model) {
  const { loadLiteRt, loadAndCompile, Tensor } = await import('/programs/litert_core.js');
  await loadLiteRt('/programs/', { jspi: true });
  const values = {};
  for (const [name, accelerator] of [['cpu', 'wasm'], ['webnn', 'webnn']]) {
    const compiled = await loadAndCompile(`/models/${model}.tflite`, { accelerator });
    const shape = [...compiled.getInputDetails()[0].shape];
    const [result] = await compiled.run(new Tensor(waves(shape), shape));
    const onCpu = result.accelerator === 'wasm' ? result : await result.moveTo('wasm');
    values[name] = [...onCpu.toTypedArray()];
    compiled.delete();
  }
  return { ...values, calls };
}
