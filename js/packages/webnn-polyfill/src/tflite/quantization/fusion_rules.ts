/**
 * The operators between dequantizeLinear and quantizeLinear that TensorFlow Lite's integer kernels accept. An operator
 * without a rule, or whose rule does not hold, is computed in float32.
 */

import type { RecordedOperator } from '../../engine.js';
import {
  MAX_LEAKY_RATIO,
  MAX_UNIT_SCALE_ERROR,
  MIN_ADD_RATIO,
  MIN_LEAKY_RATIO,
  MIN_LEAKY_SLOPE,
  MIN_MUL_RATIO,
  RATIO_END,
  UNIT_SCALE,
} from '../../generated/fusion_limits.js';
import type { MLOperandDataType } from '../../generated/webnn_types.js';
import type { Quantization } from '../model.js';
import {
  extentOf,
  isSame,
  isZero,
  type Layout,
  type Padding,
  type Pair,
  shapeChannelsLast,
  spatialOf,
} from '../ops/window.js';
import { type GraphIndex, inputOf, outputOf } from './graph_index.js';
import { type Assignment, isPerTensor, sameParameters } from './parameters.js';

/** The integer operand behind a float one. */
export interface QuantizedOperand {
  readonly operand: number;
  readonly dataType: MLOperandDataType;
  readonly parameters: Quantization;
  readonly isConstant: boolean;
}

/** An operator whose operands may be quantized. */
export class OperatorInfo {
  readonly operator: RecordedOperator;
  readonly index: GraphIndex;
  /** Its quantized results; empty if none is quantized. */
  readonly results: readonly QuantizedOperand[];
  readonly #assignment: Assignment;

  constructor(
    index: GraphIndex,
    assignment: Assignment,
    operator: RecordedOperator,
    results: readonly QuantizedOperand[],
  ) {
    this.index = index;
    this.#assignment = assignment;
    this.operator = operator;
    this.results = results;
  }

  /** The integers behind a dequantized operand. */
  quantized(operand: number | undefined): QuantizedOperand | undefined {
    const producer = this.index.producer(operand) as RecordedOperator;
    const parameters = this.#assignment.native.get(producer);
    if (parameters === undefined) return undefined;
    const input = inputOf(producer);
    const isConstant = this.index.isConstant(input);
    return { operand: input, dataType: this.index.dataType(input), parameters, isConstant };
  }

  /** The integers behind the operand of that name. */
  operand(name: string): QuantizedOperand | undefined {
    return this.quantized(this.operator.operands[name] as number | undefined);
  }

  has(name: string): boolean {
    return this.operator.operands[name] !== undefined;
  }

  attribute<T>(name: string): T {
    return this.operator.attributes[name] as T;
  }
}

/** A rule, and whether it needs quantized results. */
interface FusionRule {
  readonly quantizesResults: boolean;
  /** Whether a relu or clamp between operator and quantizeLinear can be fused, too. */
  readonly acceptsActivation?: boolean;
  holds(info: OperatorInfo): boolean;
}

/** Quantized with one scale, in eight bits. */
function isScalar(operand: QuantizedOperand | undefined): operand is QuantizedOperand {
  return operand !== undefined && isPerTensor(operand.parameters) && operand.dataType !== 'int32';
}

/** An operator with one input and results of the same type, all with one scale. */
function oneInput(
  holds: (input: QuantizedOperand, result: QuantizedOperand, info: OperatorInfo) => boolean,
): FusionRule {
  return {
    quantizesResults: true,
    holds: (info) => {
      const input = info.operand('input');
      return isScalar(input) && info.results.every((result) => isLike(result, input) && holds(input, result, info));
    },
  };
}

function isLike(result: QuantizedOperand, input: QuantizedOperand): boolean {
  return isScalar(result) && result.dataType === input.dataType;
}

function scaleOf({ parameters }: QuantizedOperand, channel = 0): number {
  return parameters.scales[channel] ?? parameters.scales[0] ?? 0;
}

function zeroPointOf({ parameters }: QuantizedOperand): number {
  return parameters.zeroPoints[0] ?? 0;
}

/** What float32 rounds where a scale is computed, as a fraction of it. */
const MAX_SCALE_ERROR = 2 ** -20;

/**
 * Whether a kernel may use one scale instead of another. Chromium's tolerances are in other units, absolute or in steps
 * of the result: they consider scales equal of which one is a multiple of the other.
 */
function isAlmost(scale: number, other: number): boolean {
  return Math.abs(scale - other) <= MAX_SCALE_ERROR * other;
}

function isEqual(input: QuantizedOperand, result: QuantizedOperand): boolean {
  return sameParameters(input.parameters, result.parameters);
}

/** Two inputs and a result of one type, each with one scale; `holds` gets the scales. */
function twoInputs(holds: (a: QuantizedOperand, b: QuantizedOperand, result: QuantizedOperand) => boolean): FusionRule {
  return {
    quantizesResults: true,
    holds: (info) => {
      const [a, b, [result]] = [info.operand('a'), info.operand('b'), info.results];
      if (!isScalar(a) || !isScalar(b) || result === undefined) return false;
      return isLike(result, a) && isLike(b, a) && holds(a, b, result);
    },
  };
}

function isBetween(value: number, low: number, high: number): boolean {
  return value >= low && value < high;
}

const ADDITION = twoInputs((a, b, result) =>
  [a, b].every((operand) => isBetween(scaleOf(operand) / scaleOf(result), MIN_ADD_RATIO, RATIO_END)),
);
const MULTIPLICATION = twoInputs((a, b, result) =>
  isBetween((scaleOf(a) * scaleOf(b)) / scaleOf(result), MIN_MUL_RATIO, RATIO_END),
);
const EXTREMUM = twoInputs((a, b, result) => isEqual(a, result) && isEqual(b, result));

const MOVEMENT = oneInput(isEqual);

const COMPARISON: FusionRule = {
  quantizesResults: false,
  holds: (info) => {
    const [a, b] = [info.operand('a'), info.operand('b')];
    return isScalar(a) && isScalar(b) && a.dataType === b.dataType && sameParameters(a.parameters, b.parameters);
  },
};

const ARG_MAX: FusionRule = { quantizesResults: false, holds: (info) => isScalar(info.operand('input')) };

const CONCAT: FusionRule = {
  quantizesResults: true,
  holds: (info) => {
    const inputs = (info.operator.operands.inputs as readonly number[]).map((operand) => info.quantized(operand));
    const [result] = info.results;
    return (
      result !== undefined &&
      inputs.every((input) => isScalar(input) && isLike(result, input) && isEqual(input, result))
    );
  },
};

/** The lookup table of an 8-bit sigmoid covers 0 to 1. */
function isUnit(result: QuantizedOperand): boolean {
  const isExact = Math.abs(scaleOf(result) / UNIT_SCALE - 1) <= MAX_UNIT_SCALE_ERROR;
  return isExact && zeroPointOf(result) === (result.dataType === 'int8' ? -128 : 0);
}

function leaky(input: QuantizedOperand, result: QuantizedOperand, info: OperatorInfo): boolean {
  const ratio = scaleOf(input) / scaleOf(result);
  const slope = info.attribute<number>('alpha') * ratio;
  const isRatio = ratio >= MIN_LEAKY_RATIO && ratio <= MAX_LEAKY_RATIO;
  return isRatio && Math.abs(slope) >= MIN_LEAKY_RATIO && slope >= MIN_LEAKY_SLOPE && slope <= MAX_LEAKY_RATIO;
}

const CLAMPED: readonly (readonly [number, number])[] = [
  [-1, 1],
  [0, 1],
  [0, 6],
  [0, Number.POSITIVE_INFINITY],
];

function clamped(_input: QuantizedOperand, _result: QuantizedOperand, info: OperatorInfo): boolean {
  const [low, high] = [Number(info.attribute('minValue')), Number(info.attribute('maxValue'))];
  return CLAMPED.some((range) => range[0] === low && range[1] === high);
}

/** Integer pools only have SAME and VALID: others are composed, and need floats. */
function pool(input: QuantizedOperand, result: QuantizedOperand, info: OperatorInfo): boolean {
  const { index, operator } = info;
  const layout = info.attribute<Layout>('layout');
  const [from, to] = [input.operand, outputOf(operator)].map((operand) =>
    spatialOf(shapeChannelsLast(index.shape(operand), layout)),
  ) as [Pair, Pair];
  const [padding, strides] = [info.attribute<Padding>('padding'), info.attribute<Pair>('strides')];
  const window = info.attribute<Pair>('windowDimensions');
  const isPlain = info.attribute<Pair>('dilations').every((dilation) => dilation === 1);
  const extent = extentOf(window, [1, 1]);
  const fits = ([0, 1] as const).every((axis) => (to[axis] - 1) * strides[axis] + extent[axis] <= from[axis]);
  const isKnown = (isZero(padding) && fits) || isSame(padding, from, to, extent, strides);
  const isClose = isAlmost(scaleOf(input), scaleOf(result));
  return isPlain && isKnown && isClose && zeroPointOf(input) === zeroPointOf(result);
}

/** Weights with one scale, or one per output; int8 ones are symmetric. */
function areWeights(
  weights: QuantizedOperand | undefined,
  input: QuantizedOperand,
  axis: number,
): weights is QuantizedOperand {
  if (weights === undefined || !weights.isConstant || weights.dataType !== input.dataType) return false;
  const isSymmetric = weights.parameters.zeroPoints.every((zeroPoint) => zeroPoint === 0);
  if (isPerTensor(weights.parameters)) return isSymmetric || weights.dataType === 'uint8';
  return isSymmetric && weights.dataType === 'int8' && weights.parameters.axis === axis;
}

/** A bias is added to products without scaling: its scale must be that of the products. */
function isBias(bias: QuantizedOperand | undefined, input: QuantizedOperand, weights: QuantizedOperand): boolean {
  if (bias === undefined || !bias.isConstant || bias.dataType !== 'int32') return false;
  if (bias.parameters.zeroPoints.some((zeroPoint) => zeroPoint !== 0)) return false;
  const { scales } = bias.parameters;
  if (scales.length !== weights.parameters.scales.length) return false;
  return scales.every((scale, channel) => isAlmost(scale, scaleOf(input) * scaleOf(weights, channel)));
}

/** A layer of weights and an optional bias. */
function layer(weightsName: string, biasName: string, axisOf: (info: OperatorInfo) => number): FusionRule['holds'] {
  return (info) => {
    const [input, weights, [result]] = [
      info.operand(weightsName === 'b' ? 'a' : 'input'),
      info.operand(weightsName),
      info.results,
    ];
    if (!isScalar(input) || result === undefined || !isLike(result, input)) return false;
    if (!areWeights(weights, input, axisOf(info))) return false;
    return !info.has(biasName) || isBias(info.operand(biasName), input, weights);
  };
}

const outputAxis = (info: OperatorInfo) => info.attribute<string>('filterLayout').indexOf('o');

const TRANSPOSED_LAYER = layer('filter', 'bias', outputAxis);

/** TRANSPOSE_CONV alone, without composed nodes around it. */
function transposedLayer(info: OperatorInfo): boolean {
  const { index, operator } = info;
  if (info.attribute<number>('groups') !== 1) return false;
  if (info.attribute<Pair>('dilations').some((dilation) => dilation !== 1)) return false;
  if (!TRANSPOSED_LAYER(info)) return false;
  const layout = info.attribute<Layout>('inputLayout');
  const [small, large] = [operator.operands.input as number, outputOf(operator)].map((operand) =>
    spatialOf(shapeChannelsLast(index.shape(operand), layout)),
  ) as [Pair, Pair];
  const filter = index.shape(operator.operands.filter as number);
  const filterLayout = info.attribute<string>('filterLayout');
  const extent = ['h', 'w'].map((axis) => filter[filterLayout.indexOf(axis)] ?? 1) as [number, number];
  const [padding, strides] = [info.attribute<Padding>('padding'), info.attribute<Pair>('strides')];
  return isSame(padding, large, small, extent, strides) || isZero(padding);
}

function gemm(info: OperatorInfo): boolean {
  const c = info.operator.operands.c as number | undefined;
  const outputs = info.index.shape(outputOf(info.operator)).at(-1);
  if (info.attribute<number>('alpha') !== 1 || info.attribute<number>('beta') !== 1) return false;
  if (c !== undefined && (info.index.shape(c).length !== 1 || info.index.shape(c)[0] !== outputs)) return false;
  return layer('b', 'c', () => (info.attribute<boolean>('bTranspose') ? 0 : 1))(info);
}

/** The rules by operator. */
export const FUSION_RULES: Readonly<Record<string, FusionRule>> = {
  add: ADDITION,
  sub: ADDITION,
  mul: MULTIPLICATION,
  max: EXTREMUM,
  min: EXTREMUM,
  conv2d: { quantizesResults: true, acceptsActivation: true, holds: layer('filter', 'bias', outputAxis) },
  convTranspose2d: { quantizesResults: true, acceptsActivation: true, holds: transposedLayer },
  gemm: { quantizesResults: true, acceptsActivation: true, holds: gemm },
  averagePool2d: oneInput(pool),
  maxPool2d: oneInput(pool),
  concat: CONCAT,
  gather: MOVEMENT,
  pad: MOVEMENT,
  resample2d: MOVEMENT,
  reshape: MOVEMENT,
  slice: MOVEMENT,
  split: MOVEMENT,
  transpose: MOVEMENT,
  reduceMax: MOVEMENT,
  reduceMean: oneInput(() => true),
  reduceMin: MOVEMENT,
  reduceSum: oneInput(() => true),
  clamp: oneInput(clamped),
  elu: oneInput((input, _result, info) => input.dataType === 'int8' && info.attribute<number>('alpha') === 1),
  leakyRelu: oneInput(leaky),
  relu: oneInput(() => true),
  sigmoid: oneInput((_input, result) => isUnit(result)),
  softmax: oneInput((_input, result) => isUnit(result)),
  tanh: oneInput(() => true),
  argMax: ARG_MAX,
  equal: COMPARISON,
  notEqual: COMPARISON,
  greater: COMPARISON,
  greaterOrEqual: COMPARISON,
  lesser: COMPARISON,
  lesserOrEqual: COMPARISON,
};
