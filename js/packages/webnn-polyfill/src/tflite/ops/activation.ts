/** Activations. If it directly follows a node that can fuse it, an activation becomes an option of that node. */

import { sameShape } from '../../data_types.js';
import type { MLOperandDataType } from '../../generated/webnn_types.js';
import { add, binary, cast, div, mul, sub, unary, widened } from '../calls.js';
import type { BuiltinName } from '../model.js';
import type { Net, NetNode } from '../net.js';
import { ALL, type Call, FLOATS, limits, type OpEntry, SIGNED, single } from '../op_entry.js';
import type { Tensor } from '../tensor.js';
import { inSignedOrder } from './elementwise.js';

/** Ranges with their own builtin. */
const CLAMPS: readonly { range: readonly [number, number]; builtin: BuiltinName }[] = [
  { range: [0, Number.POSITIVE_INFINITY], builtin: 'RELU' },
  { range: [0, 6], builtin: 'RELU6' },
  { range: [-1, 1], builtin: 'RELU_N1_TO_1' },
  { range: [0, 1], builtin: 'RELU_0_TO_1' },
];

/** Activations that nodes can fuse. */
const FUSED: readonly BuiltinName[] = ['RELU', 'RELU6', 'RELU_N1_TO_1'];
const FUSING: readonly BuiltinName[] = ['CONV_2D', 'DEPTHWISE_CONV_2D', 'FULLY_CONNECTED', 'ADD', 'SUB', 'MUL', 'DIV'];
/** Nodes allowed between a node and the activation that it fuses. */
const MOVING: readonly BuiltinName[] = ['TRANSPOSE', 'RESHAPE'];

function activated(call: Call, builtin: BuiltinName): Tensor {
  const input = call.input();
  const node = FUSED.includes(builtin) && call.isOnlyUse() ? fusingNode(call, input) : undefined;
  if (node === undefined) return unary(call.net, builtin, input);
  node.options = { ...node.options, fused_activation_function: builtin };
  return input;
}

/** The node that computes the operand, if it can fuse an activation: nothing else may need its result. */
function fusingNode({ net }: Call, input: Tensor): NetNode | undefined {
  if (net.usesOf(input) > 0) return undefined;
  let node = net.producer(input);
  const scope = node?.scope;
  while (node !== undefined && MOVING.includes(node.op)) {
    const [source] = node.inputs;
    node = source && net.usesOf(source) === 1 ? net.producer(source) : undefined;
  }
  const canFuse = node !== undefined && node.scope === scope && FUSING.includes(node.op);
  return canFuse && input.type === 'FLOAT32' && node?.options.fused_activation_function === 'NONE' ? node : undefined;
}

/** Whether the elements are floats or quantized. */
function isReal(input: Tensor): boolean {
  return input.type === 'FLOAT32' || input.quantization !== undefined;
}

function lowerRelu(call: Call): Tensor {
  const { net } = call;
  const input = call.input();
  if (isReal(input)) return activated(call, 'RELU');
  return cast(net, binary(net, 'MAXIMUM', widened(net, input), 0), input.type);
}

function lowerClamp(call: Call): Tensor {
  const { net } = call;
  const input = call.input();
  const [low, high] = [call.attribute<number | bigint>('minValue'), call.attribute<number | bigint>('maxValue')];
  if (!isReal(input)) return clampedIntegers(call, low, high);
  const clamp = CLAMPS.find(({ range }) => range[0] === Number(low) && range[1] === Number(high));
  if (clamp !== undefined) return activated(call, clamp.builtin);
  const atLeast = low === Number.NEGATIVE_INFINITY ? input : binary(net, 'MAXIMUM', input, Number(low));
  return high === Number.POSITIVE_INFINITY ? atLeast : binary(net, 'MINIMUM', atLeast, Number(high));
}

export const INTEGER_RANGES: Readonly<Partial<Record<MLOperandDataType, readonly [bigint, bigint]>>> = {
  int8: [-128n, 127n],
  uint8: [0n, 255n],
  int4: [-8n, 7n],
  uint4: [0n, 15n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

function clampedIntegers(call: Call, low: number | bigint, high: number | bigint): Tensor {
  const { net } = call;
  const dataType = call.dataType();
  const [lowest, highest] = INTEGER_RANGES[dataType] ?? [0n, 0n];
  const wide = widened(net, call.input());
  // Unsigned numbers, stored as signed ones, are shifted to signed order for comparison, so bounds shift as well.
  const shift = dataType === 'uint32' ? 2n ** 31n : dataType === 'uint64' ? 2n ** 63n : 0n;
  const bound = (value: number | bigint, round: (value: number) => number) => {
    const integer = typeof value === 'bigint' ? value : bigintOf(round(value), lowest, highest);
    const within = integer < lowest ? lowest : integer > highest ? highest : integer;
    return net.scalar(wide.type, within - shift);
  };
  const atLeast = binary(net, 'MAXIMUM', inSignedOrder(net, wide, dataType), bound(low, Math.ceil));
  const result = binary(net, 'MINIMUM', atLeast, bound(high, Math.floor));
  return cast(net, inSignedOrder(net, result, dataType), call.input().type);
}

function bigintOf(value: number, lowest: bigint, highest: bigint): bigint {
  if (Number.isFinite(value)) return BigInt(value);
  return value < 0 ? lowest : highest;
}

function lowerElu(call: Call): Tensor {
  const { net } = call;
  const alpha = call.attribute<number>('alpha');
  const input = call.input();
  if (alpha === 1) return unary(net, 'ELU', input);
  // ELU has no alpha, but is precise near 0, where exp(x) - 1 is not.
  const negative = mul(net, unary(net, 'ELU', binary(net, 'MINIMUM', input, 0)), alpha);
  return add(net, unary(net, 'RELU', input), negative);
}

function linear(call: Call): Tensor {
  const { net } = call;
  return add(net, mul(net, call.input(), call.attribute<number>('alpha')), call.attribute<number>('beta'));
}

function lowerHardSigmoid(call: Call): Tensor {
  return unary(call.net, 'RELU_0_TO_1', linear(call));
}

/** max(x, 0) + log(1 + exp(-|x|)), which does not overflow. */
function lowerSoftplus(call: Call): Tensor {
  const { net } = call;
  const decay = unary(net, 'EXP', unary(net, 'NEG', unary(net, 'ABS', call.input())));
  return add(net, unary(net, 'RELU', call.input()), logOfOnePlus(net, decay));
}

/** The difference between 1 and the next float. */
const FLOAT_EPSILON = 2 ** -23;

/**
 * log(1 + x) for x from 0 to 1, however small: log(1 + s) / s, which hardly changes there, times x. The step s is x as
 * rounded by adding it to 1.
 */
function logOfOnePlus(net: Net, x: Tensor): Tensor {
  const step = binary(net, 'MAXIMUM', sub(net, add(net, x, 1), 1), FLOAT_EPSILON);
  return mul(net, x, div(net, unary(net, 'LOG', add(net, step, 1)), step));
}

function lowerSoftsign(call: Call): Tensor {
  const { net } = call;
  return div(net, call.input(), add(net, unary(net, 'ABS', call.input()), 1));
}

function lowerPrelu(call: Call): Tensor {
  const { net } = call;
  const [input, slope] = [call.input(), call.input('slope')];
  const isLikeOutput = sameShape(input.shape, call.outputShape());
  if (input.type === 'FLOAT32' && isLikeOutput && input.shape.length <= 4 && input.shape.length > 0) {
    return net.node('PRELU', [input, slope], { type: input.type, shape: call.outputShape() });
  }
  const [x, factor] = [widened(net, input), widened(net, slope)];
  const negative = mul(net, binary(net, 'MINIMUM', x, 0), factor);
  return cast(net, add(net, binary(net, 'MAXIMUM', x, 0), negative), input.type);
}

const PRELU: OpEntry = {
  op: 'prelu',
  limits: { input: limits(SIGNED), slope: limits(SIGNED), output: limits(SIGNED) },
  builtins: 'PRELU; MAXIMUM, MINIMUM, MUL, ADD for integers, ranks above 4 and larger slopes',
  lower: lowerPrelu,
};

function float(op: string, builtin: BuiltinName): OpEntry {
  return single(op, FLOATS, builtin, (call) => unary(call.net, builtin, call.input()));
}

export const ACTIVATION: readonly OpEntry[] = [
  single('clamp', ALL, 'RELU, RELU6, RELU_N1_TO_1, RELU_0_TO_1; MAXIMUM, MINIMUM', lowerClamp),
  single('elu', FLOATS, 'ELU; also MINIMUM, MUL, RELU, ADD where alpha is not 1', lowerElu),
  single('gelu', FLOATS, 'GELU', (call) => unary(call.net, 'GELU', call.input(), { approximate: false })),
  single('hardSigmoid', FLOATS, 'MUL, ADD, RELU_0_TO_1', lowerHardSigmoid),
  float('hardSwish', 'HARD_SWISH'),
  single('leakyRelu', FLOATS, 'LEAKY_RELU', (call) =>
    unary(call.net, 'LEAKY_RELU', call.input(), { alpha: call.attribute<number>('alpha') }),
  ),
  single('linear', FLOATS, 'MUL, ADD', linear),
  PRELU,
  single('relu', SIGNED, 'RELU; MAXIMUM for integers', lowerRelu),
  float('sigmoid', 'LOGISTIC'),
  single('softplus', FLOATS, 'RELU, ABS, NEG, EXP, LOG, ADD, SUB, MAXIMUM, DIV, MUL', lowerSoftplus),
  single('softsign', FLOATS, 'ABS, ADD, DIV', lowerSoftsign),
  float('tanh', 'TANH'),
];
