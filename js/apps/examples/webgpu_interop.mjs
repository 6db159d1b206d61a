// WebGPU interop: one shader writes a model's input, another one reads its output.
//
// WebgpuTensor copies through JavaScript, which works in every browser.

import { loadTFLiteModel, WebgpuTensor } from '../package/index.mjs';

/**
 * Runs input -> shader -> model -> shader -> output.
 *
 * @param {GPUDevice} device
 * @param {string} url - A model with one float32 input and one float32 output.
 * @param {string} before - WGSL expression of the model's input element `i`, a float.
 * @param {string} after - WGSL expression of the result from the output element `x`.
 * @returns {Promise<Float32Array>} The model's output after the second shader.
 */
export async function betweenShaders(device, url, before, after) {
  const model = await loadTFLiteModel(url, { device: 'webnn' }); // MLTensors need WebNN, even if the CPU were faster
  const input = await WebgpuTensor.create(model.context, model.inputTensorDescriptor(0), device);
  const output = await WebgpuTensor.create(model.context, model.outputTensorDescriptor(0), device);

  runShader(device, await input.toGpu(), before); // WebGPU has the input ...
  await input.toWebnn(); // ... and now WebNN
  model.dispatch(input.tensor, output.tensor);
  runShader(device, await output.toGpu(), after);
  await output.toWebnn();
  const result = await model.readTensor(output.tensor);

  input.dispose();
  output.dispose();
  model.dispose();
  return result;
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
