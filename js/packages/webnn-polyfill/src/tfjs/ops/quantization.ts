/** quantizeLinear and dequantizeLinear. */

import { elementCount, sameShape } from '../../data_types.js';
import { type Call, entry, FLOAT, INDICES, type Source, type Step } from '../op_entry.js';
import * as tf from '../tf.js';

const BYTES = ['int8', 'uint8'] as const;
const RANGES = { int8: [-128, 127], uint8: [0, 255] } as const;

/** Repeats each value along its block. */
function blockwise(values: tf.Tensor, shape: readonly number[]): tf.Tensor {
  const missing = new Array<number>(shape.length - values.rank).fill(1);
  return shape.reduce(
    (result: tf.Tensor, size, axis) => {
      const count = result.shape[axis] as number;
      if (count === size || count === 1) return result;
      const [before, after] = [result.shape.slice(0, axis), result.shape.slice(axis + 1)];
      const columns = tf.reshape(result, [elementCount(before) * count, 1, elementCount(after)]);
      return tf.reshape(tf.tile(columns, [1, size / count, 1]), [...before, size, ...after]);
    },
    tf.reshape(values, [...missing, ...values.shape]),
  );
}

/** Scale or zero point, broadcastable to the input. */
function parameter(call: Call<'quantizeLinear' | 'dequantizeLinear'>, name: 'scale' | 'zeroPoint'): Source {
  const shape = call.shape('input');
  return call.prepared(name, (values) => {
    const floats = tf.cast(values, 'float32');
    return sameShape(values.shape, shape) ? floats : blockwise(floats, shape);
  });
}

function compileDequantize(call: Call<'dequantizeLinear'>): Step {
  const [input, scale, zeroPoint] = [call.operand('input'), parameter(call, 'scale'), parameter(call, 'zeroPoint')];
  return (frame) => tf.mul(tf.sub(tf.cast(input(frame), 'float32'), zeroPoint(frame)), scale(frame));
}

function compileQuantize(call: Call<'quantizeLinear'>): Step {
  const [input, scale, zeroPoint] = [call.operand('input'), parameter(call, 'scale'), parameter(call, 'zeroPoint')];
  const [min, max] = RANGES[call.output().dataType as keyof typeof RANGES];
  return (frame) => {
    const steps = tf.add(tf.round(tf.div(input(frame), scale(frame))), zeroPoint(frame));
    return tf.clipByValue(steps, min, max);
  };
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-dequantizelinear and -quantizelinear */
export const QUANTIZATION = [
  entry('dequantizeLinear', compileDequantize, {
    dataTypes: { input: [...BYTES, ...INDICES], zeroPoint: [...BYTES, ...INDICES], scale: FLOAT },
  }),
  entry('quantizeLinear', compileQuantize, {
    dataTypes: { input: FLOAT, scale: FLOAT, zeroPoint: BYTES, output: BYTES },
  }),
];
