// @ts-check

/** Convolution2DTransposeBias in JavaScript, without padding, for a batch of one; for test_custom_ops.py. */

/** A float32[?, ?, ?, ?]; `data` is unchecked: each index here is within it. */
/** @typedef {{ shape: [number, number, number, number], data: any }} Tensor */

export let calls = 0;

export const transposedConvolution = {
  /** @param {[Tensor, Tensor]} inputs @param {Uint8Array} options @param {{ state?: unknown }} node */
  prepare([x, filters], options, node) {
    const [padding, strideWidth = 0, strideHeight = 0] = new Int32Array(options.slice().buffer);
    if (padding !== 2) throw new Error('not VALID');
    node.state = { strideWidth, strideHeight };
    const [batch, height, width] = x.shape;
    return [{ shape: [batch, height * strideHeight, width * strideWidth, filters.shape[0]] }];
  },
  /**
   * @param {[Tensor, Tensor, Tensor]} inputs
   * @param {[Tensor]} outputs
   * @param {{ state: { strideWidth: number, strideHeight: number } }} node
   */
  run([x, filters, bias], [y], { state }) {
    calls++;
    const [, height, width, channels] = x.shape;
    const [outputs, filterHeight, filterWidth] = filters.shape;
    const rowWidth = y.shape[2];
    for (let i = 0; i < y.data.length; i++) y.data[i] = bias.data[i % outputs];
    for (let i = 0; i < height * width; i++) {
      for (let j = 0; j < filterHeight * filterWidth; j++) {
        const row = Math.floor(i / width) * state.strideHeight + Math.floor(j / filterWidth);
        const column = (i % width) * state.strideWidth + (j % filterWidth);
        for (let out = 0; out < outputs; out++) {
          for (let c = 0; c < channels; c++) {
            y.data[(row * rowWidth + column) * outputs + out] +=
              x.data[i * channels + c] * filters.data[(out * filterHeight * filterWidth + j) * channels + c];
          }
        }
      }
    }
  },
};
