// @ts-check

/** The outputs of a model in several shapes, for test_weights_in_place.py. */

/**
 * Each shape is prepared in its own wasm instance, from a file that is read out of another one. -> of each, all outputs
 *
 * @param {typeof import('../../../../js/packages/core/src/node.js')} library
 * @param {string} file of a model of f32[rows, depth]
 * @param {import('tflite-webnn').TFLiteModelOptions} options
 */
export async function resizedOutputs(library, file, options) {
  const model = await library.loadTFLiteModel(file, { variant: 'simd', ...options });
  const depth = model.inputs[0]?.shape[1] ?? 0;
  const found = [];
  for (const rows of [1, 5, 2, 1]) {
    if (found.length > 0) await model.resizeInputs([[rows, depth]]);
    const outputs = await model.run(Float32Array.from({ length: rows * depth }, (_, i) => Math.sin(i)));
    found.push(outputs.map(({ data }) => [...data]));
  }
  await model.dispose();
  return found;
}
