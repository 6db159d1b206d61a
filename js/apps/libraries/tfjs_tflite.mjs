import { inOrder } from './in_order.mjs';

const SCRIPTS = ['tf-core.min.js', 'tf-backend-cpu.min.js', 'tf-tflite.min.js'];

/** In a page, or in a classic worker. */
function runScript(src) {
  if (globalThis.document === undefined) return importScripts(src);
  return new Promise((resolve, reject) => {
    const onerror = () => reject(new Error(`${src} does not load`));
    document.head.append(Object.assign(document.createElement('script'), { src, onload: resolve, onerror }));
  });
}

/**
 * \@tensorflow/tfjs-tflite. With threads, as on an isolated page, it loads the threaded wasm file.
 *
 * @param directory - The directory of its files, including TensorFlow.js' scripts.
 */
export async function open({ directory }) {
  for (const script of SCRIPTS) await runScript(directory + script);
  const { tf, tflite } = globalThis;
  tflite.setWasmPath(directory);
  await tf.setBackend('cpu');
  return {
    async load({ url, inputs: infos, options }) {
      const model = await tflite.loadTFLiteModel(url, options);
      const names = infos.map(({ name }) => name);
      const requested = model.inputs.map(({ name }) => name);
      return {
        outputNames: model.outputs.map(({ name }) => name),
        async run(inputs) {
          const provided = inputs.map((array, position) => toTensor(tf, array, infos[position].shape));
          const tensors = inOrder(requested, names, provided);
          const result = model.predict(tensors.length === 1 ? tensors[0] : tensors);
          const results = model.outputs.length === 1 ? [result] : model.outputs.map(({ name }) => result[name]);
          const outputs = results.map((tensor) => tensor.dataSync());
          tf.dispose([tensors, results]);
          return outputs;
        },
        dispose: () => model.modelRunner.cleanUp(),
      };
    },
  };
}

/** tfjs has no narrower integers than int32. */
function toTensor(tf, values, shape) {
  return values instanceof Float32Array ? tf.tensor(values, shape) : tf.tensor(Int32Array.from(values), shape, 'int32');
}
