// Programs that run models on TensorFlow.js' tensors. They do not know whose `@litertjs/core` they get:
// web_tests/tests/browser/test_litert_interop.py compares what they return.

import { getGlobalLiteRt, loadAndCompile, loadLiteRt, Tensor } from '@litertjs/core';
import { litertToTfjs, runWithTfjsTensors, tfjsToLitert } from '@litertjs/tfjs-interop';
import * as tf from '@tensorflow/tfjs-core';

const listed = (tensors) =>
  Object.entries(tensors).map(([name, tensor]) => [name, tensor.dtype, tensor.shape, [...tensor.dataSync()]]);

async function load(url, backend) {
  await tf.setBackend(backend);
  await loadLiteRt('/programs/');
  return loadAndCompile(url, { accelerator: 'wasm' });
}

/** A tensor, several, tensors by name, and the signatures; also tensors of integers, there and back. */
export async function everyWay({ url }) {
  const model = await load(url, 'cpu');
  const x = tf.reshape(tf.linspace(-1, 1, 64), [4, 16]);
  const one = tf.slice(x, [1, 0], [1, 16]);
  const { prefill } = model.signatures;
  const before = tf.memory().numTensors;
  const found = {
    single: listed(await runWithTfjsTensors(prefill, x)),
    list: listed(await runWithTfjsTensors(prefill, [x])),
    named: listed(await runWithTfjsTensors(prefill, { x })),
    signature: listed(await runWithTfjsTensors(model, 'prefill', x)),
    model: listed(await runWithTfjsTensors(model, { x: one, cache: x })),
  };
  found.made = tf.memory().numTensors - before;
  const integers = tfjsToLitert(tf.tensor([1, 2, 3], [3, 1], 'int32'));
  found.integers = [integers instanceof Tensor, integers.type, listed([litertToTfjs(integers)])];
  return found;
}

export const hasGpu = async () => Boolean(await navigator.gpu?.requestAdapter());

/** A tensor in a GPU's memory: what a run of it says before somebody has read it, and the outputs after that. */
export async function onGpu({ url }) {
  await load(url, 'webgpu');
  getGlobalLiteRt().setWebGpuDevice(tf.backend().device);
  const { signatures } = await loadAndCompile(url, { accelerator: 'wasm' }); // of that environment
  const x = tf.tanh(tf.reshape(tf.linspace(-1, 1, 64), [4, 16]));
  const rejection = await runWithTfjsTensors(signatures.prefill, [x]).then(
    () => null,
    ({ name, code, message }) => ({ name, code, message }),
  );
  const values = await x.data();
  const [output] = await runWithTfjsTensors(signatures.prefill, [x]);
  return { rejection, values: [...values], output: [...(await output.data())] };
}
