/** batchNormalization, instanceNormalization, layerNormalization and softmax. */

import { elementCount } from '../../data_types.js';
import { alongAxis, reshaped } from '../broadcast.js';
import { add, div, mul, range, sub, transposed, unary } from '../calls.js';
import type { Net } from '../net.js';
import { type Call, exactly, FLOATS, limits, NO_SCALAR, type OpEntry, single } from '../op_entry.js';
import { bytesOf, dimension, isConstant, numbersOf, type Tensor } from '../tensor.js';
import { reducer } from './reduction.js';
import type { Layout } from './window.js';

function lowerBatchNormalization(call: Call): Tensor {
  const { net } = call;
  const input = call.input();
  const axis = call.attribute<number>('axis');
  const along = (operand: Tensor) => alongAxis(net, operand, axis, input.shape.length);
  const centered = sub(net, input, along(call.input('mean')));
  const normal = mul(net, centered, along(factor(call)));
  const bias = call.optional('bias');
  return bias === undefined ? normal : add(net, normal, along(bias));
}

/** scale / sqrt(variance + epsilon), computed while the model is created if both are constants. */
function factor(call: Call): Tensor {
  const { net } = call;
  const variance = call.input('variance');
  const scale = call.optional('scale');
  const epsilon = call.attribute<number>('epsilon');
  if (isConstant(variance) && (scale === undefined || isConstant(scale))) {
    const scales = scale === undefined ? [] : numbersOf(scale);
    const factors = numbersOf(variance).map((value, index) => (scales[index] ?? 1) / Math.sqrt(value + epsilon));
    return net.constantOf('FLOAT32', variance.shape, bytesOf('FLOAT32', factors));
  }
  return div(net, scale ?? 1, unary(net, 'SQRT', add(net, variance, epsilon)));
}

/** (x - mean) / sqrt(variance + epsilon), both along the axes. */
function normalized(net: Net, input: Tensor, axes: readonly number[], epsilon: number): Tensor {
  const mean = reducer(net, 'MEAN', axes);
  const centered = sub(net, input, mean(input));
  const variance = mean(mul(net, centered, centered));
  return div(net, centered, unary(net, 'SQRT', add(net, variance, epsilon)));
}

function scaledAndMoved(call: Call, normal: Tensor, along: (operand: Tensor) => Tensor): Tensor {
  const { net } = call;
  const [scale, bias] = [call.optional('scale'), call.optional('bias')];
  const scaled = scale === undefined ? normal : mul(net, normal, along(scale));
  return bias === undefined ? scaled : add(net, scaled, along(bias));
}

function lowerInstanceNormalization(call: Call): Tensor {
  const { net } = call;
  const isFirst = call.attribute<Layout>('layout') === 'nchw';
  const normal = normalized(net, call.input(), isFirst ? [2, 3] : [1, 2], call.attribute<number>('epsilon'));
  return scaledAndMoved(call, normal, (operand) => alongAxis(net, operand, isFirst ? 1 : 3, 4));
}

function lowerLayerNormalization(call: Call): Tensor {
  const { net } = call;
  const input = call.input();
  const axes = call.attribute<readonly number[]>('axes');
  const normal = normalized(net, input, axes, call.attribute<number>('epsilon'));
  // Scale and bias have the dimensions in the order of the axes.
  const order = range(0, axes.length).sort((a, b) => dimension(axes, a) - dimension(axes, b));
  const shape = input.shape.map((size, axis) => (axes.includes(axis) ? size : 1));
  return scaledAndMoved(call, normal, (operand) => reshaped(net, transposed(net, operand, order), shape));
}

/** SOFTMAX works along the last axis. */
function lowerSoftmax(call: Call): Tensor {
  const { net } = call;
  const input = call.input();
  const axis = call.attribute<number>('axis');
  const last = input.shape.length - 1;
  const exchange = range(0, last + 1)
    .with(axis, last)
    .with(last, axis);
  const moved = transposed(net, input, exchange);
  const isFlat = moved.shape.length > 4;
  const size = dimension(moved.shape, last);
  const rows = isFlat ? reshaped(net, moved, [elementCount(moved.shape) / size, size]) : moved;
  const result = reshaped(net, unary(net, 'SOFTMAX', rows, { beta: 1 }), moved.shape);
  return transposed(net, result, exchange);
}

const PARAMETERS = limits(FLOATS, [1, 1]);

export const NORMALIZATION: readonly OpEntry[] = [
  {
    op: 'batchNormalization',
    limits: {
      input: limits(FLOATS, NO_SCALAR),
      mean: PARAMETERS,
      variance: PARAMETERS,
      scale: PARAMETERS,
      bias: PARAMETERS,
      output: limits(FLOATS, NO_SCALAR),
    },
    builtins: 'SUB, MUL, ADD; ADD, SQRT, DIV where the parameters are not constant',
    lower: lowerBatchNormalization,
  },
  {
    op: 'instanceNormalization',
    limits: { input: exactly(FLOATS, 4), scale: PARAMETERS, bias: PARAMETERS, output: exactly(FLOATS, 4) },
    builtins: 'MEAN, SUB, MUL, ADD, SQRT, DIV',
    lower: lowerInstanceNormalization,
  },
  {
    op: 'layerNormalization',
    limits: { input: limits(FLOATS), scale: limits(FLOATS), bias: limits(FLOATS), output: limits(FLOATS) },
    builtins: 'MEAN, SUB, MUL, ADD, SQRT, DIV',
    lower: lowerLayerNormalization,
  },
  single('softmax', FLOATS, 'SOFTMAX', lowerSoftmax, NO_SCALAR),
];
