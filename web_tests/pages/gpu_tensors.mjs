/** Dispatches, tensors and losses of the polyfill's engines on a GPU, in a page and in Node. */

const DESCRIPTOR = { dataType: 'float32', shape: [1000] };
const EXCHANGES = 3;

/**
 * Creates `context`, `graph`, which computes b = relu(a - 1), and tensors `a`, 250 everywhere, and `b`.
 *
 * @param webnnOf - polyfill.mjs's.
 * @param engine - `webgpu`, on a new GPUDevice, or `webgl`.
 */
export async function setUp(webnnOf, engine) {
  const { navigator: { ml }, MLGraphBuilder } = webnnOf(engine);
  const device = engine === 'webgpu' ? await (await navigator.gpu.requestAdapter()).requestDevice() : null;
  const context = await ml.createContext(device ?? {});
  const builder = new MLGraphBuilder(context);
  const one = builder.constant('float32', 1);
  const graph = await builder.build({ b: builder.relu(builder.sub(builder.input('a', DESCRIPTOR), one)) });
  const make = () => context.createTensor({ ...DESCRIPTOR, readable: true, writable: true });
  const resources = { context, graph, device, a: await make(), b: await make() };
  context.writeTensor(resources.a, new Float32Array(1000).fill(250));
  return resources;
}

/** Dispatches the graph 100 times and returns the last element of `a`, which is 100 less. */
export async function chain({ context, graph, a, b }) {
  for (let iteration = 0; iteration < 50; iteration++) {
    context.dispatch(graph, { a }, { b });
    context.dispatch(graph, { a: b }, { b: a });
  }
  return lastOf(context, a);
}

/** Returns the tensors and buffers of the polyfill's own TensorFlow.js. */
export function used() {
  const { numTensors, numBytes, numBytesInGPU } = globalThis._webnnPolyfillTfengine.memory();
  return { numTensors, numBytes, numBytesInGPU };
}

/**
 * WebNN and WebGPU alternate on a tensor whose memory they share: WebGPU doubles WebNN's result.
 *
 * @returns For each exchange, the name of the error of a dispatch to the tensor while WebGPU has it, and the result.
 */
export async function exchange({ context, graph, device, a }) {
  const exported = await context.createExportableTensor(DESCRIPTOR, device);
  const code = `@group(0) @binding(0) var<storage, read_write> x : array<f32>;
    @compute @workgroup_size(100) fn main(@builtin(global_invocation_id) id : vec3u) { x[id.x] *= 2; }`;
  const compute = { module: device.createShaderModule({ code }), entryPoint: 'main' };
  const pipeline = device.createComputePipeline({ layout: 'auto', compute });
  const found = [];
  for (let count = 0; count < EXCHANGES; count++) {
    context.dispatch(graph, { a }, { b: exported });
    const buffer = await context.exportToGPU(exported);
    try {
      context.dispatch(graph, { a }, { b: exported });
    } catch ({ name }) {
      found.push(name);
    }
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    const entries = [{ binding: 0, resource: { buffer } }];
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.dispatchWorkgroups(10);
    pass.end();
    device.queue.submit([encoder.finish()]);
    buffer.destroy(); // which returns the tensor to WebNN
    context.dispatch(graph, { a: exported }, { b: a });
    found.push(await lastOf(context, a));
  }
  exported.destroy();
  return found;
}

/** Returns what exchange() returns if `a` is 250 before. */
export function exchanged() {
  let value = 250;
  const next = () => (value = (value - 1) * 2 - 1);
  return Array.from({ length: EXCHANGES }).flatMap(() => ['InvalidStateError', next()]);
}

/** Loses the GPU, waits for the context's loss, and returns its message and the name of a later read's error. */
export async function lose({ context, device, a }) {
  if (device) device.destroy();
  else globalThis._webnnPolyfillTfengine.backend.gpgpu.gl.getExtension('WEBGL_lose_context').loseContext();
  const { message } = await context.lost;
  const error = await context.readTensor(a).then(
    () => '',
    ({ name }) => name,
  );
  return { message, error };
}

async function lastOf(context, tensor) {
  return new Float32Array(await context.readTensor(tensor)).at(-1);
}
