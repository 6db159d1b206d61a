// Custom ops: functions for ops of a model that TensorFlow Lite lacks, by the names that the model has for them.
export default {
  // x / (1 + |x|)
  Softsign: {
    prepare([x]) {
      if (x.dtype !== 'float32') throw new TypeError(`Softsign computes float32, not ${x.dtype}`);
      return [{ shape: x.shape }];
    },
    run([x], [y]) {
      const [values, results] = [x.data, y.data];
      for (let i = 0; i < values.length; i++) results[i] = values[i] / (1 + Math.abs(values[i]));
    },
  },

  // The values above the threshold, a byte in the op's options: only a run knows how many there are.
  AboveThreshold: {
    prepare(_inputs, options, node) {
      node.state = options[0] / 255;
      return [{ shape: null }];
    },
    run([x], [y], node) {
      const found = x.data.filter((value) => value > node.state);
      y.resize([found.length]);
      y.data.set(found);
    },
  },
};
