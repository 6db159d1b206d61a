// WebGPU interop: one shader writes a model's input, another one reads its output.
//
// The tensors are copied through JavaScript, which works in every browser.

import { loadTFLiteModel } from '../package/index.mjs';

/**
 * Runs shader -> model -> shader.
 *
 * @param {GPUDevice} device
 * @param {string} url - A model with one float32 input and one float32 output.
 * @param {string} before - WGSL expression of the model's input element `i`, a float.
 * @param {string} after - WGSL expression of the result from the output element `x`.
 * @returns {Promise<Float32Array>} The model's output after the second shader.
 */
export async function betweenShaders(device, url, before, after) {
  const model = await loadTFLiteModel(url, { device: 'webnn' }); // MLTensors need WebNN, even if the CPU were faster
  const input = await model.createInputTensor(0);
  const output = await model.createOutputTensor(0);

  const pixels = toGpu(device, new Float32Array(model.inputs[0].sizeBytes / 4));
  runShader(device, pixels, before);
  model.writeTensor(input, await fromGpu(device, pixels));
  model.dispatch(input, output);

  const scores = toGpu(device, await model.readTensor(output));
  model.dispose();
  runShader(device, scores, after);
  return fromGpu(device, scores);
}

/** Copies an array into a new GPUBuffer. */
function toGpu(device, array) {
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const buffer = device.createBuffer({ size: array.byteLength, usage: STORAGE | COPY_SRC | COPY_DST });
  device.queue.writeBuffer(buffer, 0, array);
  return buffer;
}

/** Copies a GPUBuffer into a new array, after the GPU work that was submitted before, and destroys it. */
async function fromGpu(device, buffer) {
  const { COPY_DST, MAP_READ } = GPUBufferUsage;
  const staging = device.createBuffer({ size: buffer.size, usage: COPY_DST | MAP_READ });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const array = new Float32Array(staging.getMappedRange().slice(0));
  staging.destroy();
  buffer.destroy();
  return array;
}

/** Replaces each element x = data[i] of a buffer by an expression's value. */
function runShader(device, buffer, expression) {
  const code = `
    @group(0) @binding(0) var<storage, read_write> data: array<f32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
      if (id.x >= arrayLength(&data)) { return; }
      let i = f32(id.x);
      let x = data[id.x];
      data[id.x] = ${expression};
    }`;
  const module = device.createShaderModule({ code });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
  const layout = pipeline.getBindGroupLayout(0);
  const group = device.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer } }] });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(Math.ceil(buffer.size / 4 / 64));
  pass.end();
  device.queue.submit([encoder.finish()]);
}
