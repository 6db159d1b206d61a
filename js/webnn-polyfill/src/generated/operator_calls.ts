/** Arguments of the operators. Generated from the IDL by tools/generate.mjs; not to be edited. */

import type { OperandDescriptor } from '../graph.js';
import type {
  MLConv2dFilterOperandLayout,
  MLConvTranspose2dFilterOperandLayout,
  MLGruWeightLayout,
  MLInputOperandLayout,
  MLInterpolationMode,
  MLLstmWeightLayout,
  MLNumber,
  MLOperandDataType,
  MLPaddingMode,
  MLRecurrentNetworkActivation,
  MLRecurrentNetworkDirection,
  MLRoundingType,
} from './webnn_types.js';

/** Operands and attributes of a call, by operator. */
export interface OperatorCalls {
  argMin: {
    operands: { input: OperandDescriptor };
    attributes: { axis: number; keepDimensions: boolean; outputDataType: MLOperandDataType };
  };
  argMax: {
    operands: { input: OperandDescriptor };
    attributes: { axis: number; keepDimensions: boolean; outputDataType: MLOperandDataType };
  };
  batchNormalization: {
    operands: {
      input: OperandDescriptor;
      mean: OperandDescriptor;
      variance: OperandDescriptor;
      scale?: OperandDescriptor;
      bias?: OperandDescriptor;
    };
    attributes: { axis: number; epsilon: number };
  };
  cast: { operands: { input: OperandDescriptor }; attributes: { dataType: MLOperandDataType } };
  clamp: { operands: { input: OperandDescriptor }; attributes: { minValue?: MLNumber; maxValue?: MLNumber } };
  concat: { operands: { inputs: readonly OperandDescriptor[] }; attributes: { axis: number } };
  conv2d: {
    operands: { input: OperandDescriptor; filter: OperandDescriptor; bias?: OperandDescriptor };
    attributes: {
      padding?: readonly number[];
      strides?: readonly number[];
      dilations?: readonly number[];
      groups: number;
      inputLayout: MLInputOperandLayout;
      filterLayout: MLConv2dFilterOperandLayout;
    };
  };
  convTranspose2d: {
    operands: { input: OperandDescriptor; filter: OperandDescriptor; bias?: OperandDescriptor };
    attributes: {
      padding?: readonly number[];
      strides?: readonly number[];
      dilations?: readonly number[];
      outputPadding?: readonly number[];
      outputSizes?: readonly number[];
      groups: number;
      inputLayout: MLInputOperandLayout;
      filterLayout: MLConvTranspose2dFilterOperandLayout;
    };
  };
  cumulativeSum: {
    operands: { input: OperandDescriptor };
    attributes: { axis: number; exclusive: boolean; reversed: boolean };
  };
  add: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  sub: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  mul: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  div: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  max: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  min: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  pow: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  equal: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  notEqual: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  greater: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  greaterOrEqual: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  lesser: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  lesserOrEqual: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  logicalNot: { operands: { a: OperandDescriptor }; attributes: object };
  logicalAnd: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  logicalOr: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  logicalXor: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  isNaN: { operands: { a: OperandDescriptor }; attributes: object };
  isInfinite: { operands: { a: OperandDescriptor }; attributes: object };
  abs: { operands: { input: OperandDescriptor }; attributes: object };
  ceil: { operands: { input: OperandDescriptor }; attributes: object };
  cos: { operands: { input: OperandDescriptor }; attributes: object };
  erf: { operands: { input: OperandDescriptor }; attributes: object };
  exp: { operands: { input: OperandDescriptor }; attributes: object };
  floor: { operands: { input: OperandDescriptor }; attributes: object };
  identity: { operands: { input: OperandDescriptor }; attributes: object };
  log: { operands: { input: OperandDescriptor }; attributes: object };
  neg: { operands: { input: OperandDescriptor }; attributes: object };
  reciprocal: { operands: { input: OperandDescriptor }; attributes: object };
  roundEven: { operands: { input: OperandDescriptor }; attributes: object };
  sin: { operands: { input: OperandDescriptor }; attributes: object };
  sign: { operands: { input: OperandDescriptor }; attributes: object };
  sqrt: { operands: { input: OperandDescriptor }; attributes: object };
  tan: { operands: { input: OperandDescriptor }; attributes: object };
  dequantizeLinear: {
    operands: { input: OperandDescriptor; scale: OperandDescriptor; zeroPoint: OperandDescriptor };
    attributes: object;
  };
  quantizeLinear: {
    operands: { input: OperandDescriptor; scale: OperandDescriptor; zeroPoint: OperandDescriptor };
    attributes: object;
  };
  elu: { operands: { input: OperandDescriptor }; attributes: { alpha: number } };
  expand: { operands: { input: OperandDescriptor }; attributes: { newShape: readonly number[] } };
  gather: { operands: { input: OperandDescriptor; indices: OperandDescriptor }; attributes: { axis: number } };
  gatherElements: { operands: { input: OperandDescriptor; indices: OperandDescriptor }; attributes: { axis: number } };
  gatherND: { operands: { input: OperandDescriptor; indices: OperandDescriptor }; attributes: object };
  gelu: { operands: { input: OperandDescriptor }; attributes: object };
  gemm: {
    operands: { a: OperandDescriptor; b: OperandDescriptor; c?: OperandDescriptor };
    attributes: { alpha: number; beta: number; aTranspose: boolean; bTranspose: boolean };
  };
  gru: {
    operands: {
      input: OperandDescriptor;
      weight: OperandDescriptor;
      recurrentWeight: OperandDescriptor;
      bias?: OperandDescriptor;
      recurrentBias?: OperandDescriptor;
      initialHiddenState?: OperandDescriptor;
    };
    attributes: {
      steps: number;
      hiddenSize: number;
      resetAfter: boolean;
      returnSequence: boolean;
      direction: MLRecurrentNetworkDirection;
      layout: MLGruWeightLayout;
      activations?: readonly MLRecurrentNetworkActivation[];
    };
  };
  gruCell: {
    operands: {
      input: OperandDescriptor;
      weight: OperandDescriptor;
      recurrentWeight: OperandDescriptor;
      hiddenState: OperandDescriptor;
      bias?: OperandDescriptor;
      recurrentBias?: OperandDescriptor;
    };
    attributes: {
      hiddenSize: number;
      resetAfter: boolean;
      layout: MLGruWeightLayout;
      activations?: readonly MLRecurrentNetworkActivation[];
    };
  };
  hardSigmoid: { operands: { input: OperandDescriptor }; attributes: { alpha: number; beta: number } };
  hardSwish: { operands: { input: OperandDescriptor }; attributes: object };
  instanceNormalization: {
    operands: { input: OperandDescriptor; scale?: OperandDescriptor; bias?: OperandDescriptor };
    attributes: { epsilon: number; layout: MLInputOperandLayout };
  };
  layerNormalization: {
    operands: { input: OperandDescriptor; scale?: OperandDescriptor; bias?: OperandDescriptor };
    attributes: { axes?: readonly number[]; epsilon: number };
  };
  leakyRelu: { operands: { input: OperandDescriptor }; attributes: { alpha: number } };
  linear: { operands: { input: OperandDescriptor }; attributes: { alpha: number; beta: number } };
  lstm: {
    operands: {
      input: OperandDescriptor;
      weight: OperandDescriptor;
      recurrentWeight: OperandDescriptor;
      bias?: OperandDescriptor;
      recurrentBias?: OperandDescriptor;
      peepholeWeight?: OperandDescriptor;
      initialHiddenState?: OperandDescriptor;
      initialCellState?: OperandDescriptor;
    };
    attributes: {
      steps: number;
      hiddenSize: number;
      returnSequence: boolean;
      direction: MLRecurrentNetworkDirection;
      layout: MLLstmWeightLayout;
      activations?: readonly MLRecurrentNetworkActivation[];
    };
  };
  lstmCell: {
    operands: {
      input: OperandDescriptor;
      weight: OperandDescriptor;
      recurrentWeight: OperandDescriptor;
      hiddenState: OperandDescriptor;
      cellState: OperandDescriptor;
      bias?: OperandDescriptor;
      recurrentBias?: OperandDescriptor;
      peepholeWeight?: OperandDescriptor;
    };
    attributes: {
      hiddenSize: number;
      layout: MLLstmWeightLayout;
      activations?: readonly MLRecurrentNetworkActivation[];
    };
  };
  matmul: { operands: { a: OperandDescriptor; b: OperandDescriptor }; attributes: object };
  pad: {
    operands: { input: OperandDescriptor };
    attributes: {
      beginningPadding: readonly number[];
      endingPadding: readonly number[];
      mode: MLPaddingMode;
      value: MLNumber;
    };
  };
  averagePool2d: {
    operands: { input: OperandDescriptor };
    attributes: {
      windowDimensions?: readonly number[];
      padding?: readonly number[];
      strides?: readonly number[];
      dilations?: readonly number[];
      layout: MLInputOperandLayout;
      outputShapeRounding: MLRoundingType;
      outputSizes?: readonly number[];
    };
  };
  l2Pool2d: {
    operands: { input: OperandDescriptor };
    attributes: {
      windowDimensions?: readonly number[];
      padding?: readonly number[];
      strides?: readonly number[];
      dilations?: readonly number[];
      layout: MLInputOperandLayout;
      outputShapeRounding: MLRoundingType;
      outputSizes?: readonly number[];
    };
  };
  maxPool2d: {
    operands: { input: OperandDescriptor };
    attributes: {
      windowDimensions?: readonly number[];
      padding?: readonly number[];
      strides?: readonly number[];
      dilations?: readonly number[];
      layout: MLInputOperandLayout;
      outputShapeRounding: MLRoundingType;
      outputSizes?: readonly number[];
    };
  };
  prelu: { operands: { input: OperandDescriptor; slope: OperandDescriptor }; attributes: object };
  reduceL1: {
    operands: { input: OperandDescriptor };
    attributes: { axes?: readonly number[]; keepDimensions: boolean };
  };
  reduceL2: {
    operands: { input: OperandDescriptor };
    attributes: { axes?: readonly number[]; keepDimensions: boolean };
  };
  reduceLogSum: {
    operands: { input: OperandDescriptor };
    attributes: { axes?: readonly number[]; keepDimensions: boolean };
  };
  reduceLogSumExp: {
    operands: { input: OperandDescriptor };
    attributes: { axes?: readonly number[]; keepDimensions: boolean };
  };
  reduceMax: {
    operands: { input: OperandDescriptor };
    attributes: { axes?: readonly number[]; keepDimensions: boolean };
  };
  reduceMean: {
    operands: { input: OperandDescriptor };
    attributes: { axes?: readonly number[]; keepDimensions: boolean };
  };
  reduceMin: {
    operands: { input: OperandDescriptor };
    attributes: { axes?: readonly number[]; keepDimensions: boolean };
  };
  reduceProduct: {
    operands: { input: OperandDescriptor };
    attributes: { axes?: readonly number[]; keepDimensions: boolean };
  };
  reduceSum: {
    operands: { input: OperandDescriptor };
    attributes: { axes?: readonly number[]; keepDimensions: boolean };
  };
  reduceSumSquare: {
    operands: { input: OperandDescriptor };
    attributes: { axes?: readonly number[]; keepDimensions: boolean };
  };
  relu: { operands: { input: OperandDescriptor }; attributes: object };
  resample2d: {
    operands: { input: OperandDescriptor };
    attributes: {
      mode: MLInterpolationMode;
      scales?: readonly number[];
      sizes?: readonly number[];
      axes?: readonly number[];
    };
  };
  reshape: { operands: { input: OperandDescriptor }; attributes: { newShape: readonly number[] } };
  reverse: { operands: { input: OperandDescriptor }; attributes: { axes?: readonly number[] } };
  scatterElements: {
    operands: { input: OperandDescriptor; indices: OperandDescriptor; updates: OperandDescriptor };
    attributes: { axis: number };
  };
  scatterND: {
    operands: { input: OperandDescriptor; indices: OperandDescriptor; updates: OperandDescriptor };
    attributes: object;
  };
  sigmoid: { operands: { input: OperandDescriptor }; attributes: object };
  slice: {
    operands: { input: OperandDescriptor };
    attributes: { starts: readonly number[]; sizes: readonly number[]; strides?: readonly number[] };
  };
  softmax: { operands: { input: OperandDescriptor }; attributes: { axis?: number } };
  softplus: { operands: { input: OperandDescriptor }; attributes: object };
  softsign: { operands: { input: OperandDescriptor }; attributes: object };
  split: { operands: { input: OperandDescriptor }; attributes: { splits: number | readonly number[]; axis: number } };
  tanh: { operands: { input: OperandDescriptor }; attributes: object };
  tile: { operands: { input: OperandDescriptor }; attributes: { repetitions: readonly number[] } };
  transpose: { operands: { input: OperandDescriptor }; attributes: { permutation?: readonly number[] } };
  triangular: { operands: { input: OperandDescriptor }; attributes: { upper: boolean; diagonal: number } };
  where: {
    operands: { condition: OperandDescriptor; trueValue: OperandDescriptor; falseValue: OperandDescriptor };
    attributes: object;
  };
}
