/** TypeScript declarations of WebNN (https://www.w3.org/TR/webnn/). Generated from its IDL by tools/generate.mjs; not to be edited. */

export type MLPowerPreference = 'default' | 'high-performance' | 'low-power';

export type MLInputOperandLayout = 'nchw' | 'nhwc';

export type MLOperandDataType =
  | 'float32'
  | 'float16'
  | 'int32'
  | 'uint32'
  | 'int64'
  | 'uint64'
  | 'int8'
  | 'uint8'
  | 'int4'
  | 'uint4';

export type MLConv2dFilterOperandLayout = 'oihw' | 'hwio' | 'ohwi' | 'ihwo';

export type MLConvTranspose2dFilterOperandLayout = 'iohw' | 'hwoi' | 'ohwi';

export type MLGruWeightLayout = 'zrn' | 'rzn';

export type MLRecurrentNetworkActivation = 'relu' | 'sigmoid' | 'tanh';

export type MLRecurrentNetworkDirection = 'forward' | 'backward' | 'both';

export type MLLstmWeightLayout = 'iofg' | 'ifgo';

export type MLPaddingMode = 'constant' | 'edge' | 'reflection';

export type MLRoundingType = 'floor' | 'ceil';

export type MLInterpolationMode = 'nearest-neighbor' | 'linear';

export type MLNamedTensors = Readonly<Record<string, MLTensor>>;

export type MLDataTypeList = readonly MLOperandDataType[];

export type MLNumber = bigint | number;

export type MLNamedOperands = Readonly<Record<string, MLOperand>>;

export interface MLContextOptions {
  powerPreference?: MLPowerPreference;
  accelerated?: boolean;
}

export interface MLContextLostInfo {
  message?: string;
}

export interface MLOpSupportLimits {
  preferredInputLayout?: MLInputOperandLayout;
  maxTensorByteLength?: number;
  input?: MLTensorLimits;
  constant?: MLTensorLimits;
  output?: MLTensorLimits;
  argMin?: MLSingleInputSupportLimits;
  argMax?: MLSingleInputSupportLimits;
  batchNormalization?: MLBatchNormalizationSupportLimits;
  cast?: MLSingleInputSupportLimits;
  clamp?: MLSingleInputSupportLimits;
  concat?: MLConcatSupportLimits;
  conv2d?: MLConv2dSupportLimits;
  convTranspose2d?: MLConv2dSupportLimits;
  cumulativeSum?: MLSingleInputSupportLimits;
  add?: MLBinarySupportLimits;
  sub?: MLBinarySupportLimits;
  mul?: MLBinarySupportLimits;
  div?: MLBinarySupportLimits;
  max?: MLBinarySupportLimits;
  min?: MLBinarySupportLimits;
  pow?: MLBinarySupportLimits;
  equal?: MLBinarySupportLimits;
  notEqual?: MLBinarySupportLimits;
  greater?: MLBinarySupportLimits;
  greaterOrEqual?: MLBinarySupportLimits;
  lesser?: MLBinarySupportLimits;
  lesserOrEqual?: MLBinarySupportLimits;
  logicalNot?: MLLogicalNotSupportLimits;
  logicalAnd?: MLBinarySupportLimits;
  logicalOr?: MLBinarySupportLimits;
  logicalXor?: MLBinarySupportLimits;
  isNaN?: MLLogicalNotSupportLimits;
  isInfinite?: MLLogicalNotSupportLimits;
  abs?: MLSingleInputSupportLimits;
  ceil?: MLSingleInputSupportLimits;
  cos?: MLSingleInputSupportLimits;
  erf?: MLSingleInputSupportLimits;
  exp?: MLSingleInputSupportLimits;
  floor?: MLSingleInputSupportLimits;
  identity?: MLSingleInputSupportLimits;
  log?: MLSingleInputSupportLimits;
  neg?: MLSingleInputSupportLimits;
  reciprocal?: MLSingleInputSupportLimits;
  roundEven?: MLSingleInputSupportLimits;
  sin?: MLSingleInputSupportLimits;
  sign?: MLSingleInputSupportLimits;
  sqrt?: MLSingleInputSupportLimits;
  tan?: MLSingleInputSupportLimits;
  dequantizeLinear?: MLQuantizeDequantizeLinearSupportLimits;
  quantizeLinear?: MLQuantizeDequantizeLinearSupportLimits;
  elu?: MLSingleInputSupportLimits;
  expand?: MLSingleInputSupportLimits;
  gather?: MLGatherSupportLimits;
  gatherElements?: MLGatherSupportLimits;
  gatherND?: MLGatherSupportLimits;
  gelu?: MLSingleInputSupportLimits;
  gemm?: MLGemmSupportLimits;
  gru?: MLGruSupportLimits;
  gruCell?: MLGruCellSupportLimits;
  hardSigmoid?: MLSingleInputSupportLimits;
  hardSwish?: MLSingleInputSupportLimits;
  instanceNormalization?: MLNormalizationSupportLimits;
  layerNormalization?: MLNormalizationSupportLimits;
  leakyRelu?: MLSingleInputSupportLimits;
  linear?: MLSingleInputSupportLimits;
  lstm?: MLLstmSupportLimits;
  lstmCell?: MLLstmCellSupportLimits;
  matmul?: MLBinarySupportLimits;
  pad?: MLSingleInputSupportLimits;
  averagePool2d?: MLSingleInputSupportLimits;
  l2Pool2d?: MLSingleInputSupportLimits;
  maxPool2d?: MLSingleInputSupportLimits;
  prelu?: MLPreluSupportLimits;
  reduceL1?: MLSingleInputSupportLimits;
  reduceL2?: MLSingleInputSupportLimits;
  reduceLogSum?: MLSingleInputSupportLimits;
  reduceLogSumExp?: MLSingleInputSupportLimits;
  reduceMax?: MLSingleInputSupportLimits;
  reduceMean?: MLSingleInputSupportLimits;
  reduceMin?: MLSingleInputSupportLimits;
  reduceProduct?: MLSingleInputSupportLimits;
  reduceSum?: MLSingleInputSupportLimits;
  reduceSumSquare?: MLSingleInputSupportLimits;
  relu?: MLSingleInputSupportLimits;
  resample2d?: MLSingleInputSupportLimits;
  reshape?: MLSingleInputSupportLimits;
  reverse?: MLSingleInputSupportLimits;
  scatterElements?: MLScatterSupportLimits;
  scatterND?: MLScatterSupportLimits;
  sigmoid?: MLSingleInputSupportLimits;
  slice?: MLSingleInputSupportLimits;
  softmax?: MLSingleInputSupportLimits;
  softplus?: MLSingleInputSupportLimits;
  softsign?: MLSingleInputSupportLimits;
  split?: MLSplitSupportLimits;
  tanh?: MLSingleInputSupportLimits;
  tile?: MLSingleInputSupportLimits;
  transpose?: MLSingleInputSupportLimits;
  triangular?: MLSingleInputSupportLimits;
  where?: MLWhereSupportLimits;
}

export interface MLRankRange {
  min?: number;
  max?: number;
}

export interface MLTensorLimits {
  dataTypes?: MLDataTypeList;
  rankRange?: MLRankRange;
}

export interface MLBinarySupportLimits {
  a?: MLTensorLimits;
  b?: MLTensorLimits;
  output?: MLTensorLimits;
}

export interface MLSingleInputSupportLimits {
  input?: MLTensorLimits;
  output?: MLTensorLimits;
}

export interface MLOperandDescriptor {
  dataType: MLOperandDataType;
  shape: readonly number[];
}

export interface MLOperatorOptions {
  label?: string;
}

export interface MLTensorDescriptor extends MLOperandDescriptor {
  readable?: boolean;
  writable?: boolean;
}

export interface MLArgMinMaxOptions extends MLOperatorOptions {
  keepDimensions?: boolean;
  outputDataType?: MLOperandDataType;
}

export interface MLBatchNormalizationOptions extends MLOperatorOptions {
  scale?: MLOperand;
  bias?: MLOperand;
  axis?: number;
  epsilon?: number;
}

export interface MLBatchNormalizationSupportLimits {
  input?: MLTensorLimits;
  mean?: MLTensorLimits;
  variance?: MLTensorLimits;
  scale?: MLTensorLimits;
  bias?: MLTensorLimits;
  output?: MLTensorLimits;
}

export interface MLClampOptions extends MLOperatorOptions {
  minValue?: MLNumber;
  maxValue?: MLNumber;
}

export interface MLConcatSupportLimits {
  inputs?: MLTensorLimits;
  output?: MLTensorLimits;
}

export interface MLConv2dOptions extends MLOperatorOptions {
  padding?: readonly number[];
  strides?: readonly number[];
  dilations?: readonly number[];
  groups?: number;
  inputLayout?: MLInputOperandLayout;
  filterLayout?: MLConv2dFilterOperandLayout;
  bias?: MLOperand;
}

export interface MLConv2dSupportLimits {
  input?: MLTensorLimits;
  filter?: MLTensorLimits;
  bias?: MLTensorLimits;
  output?: MLTensorLimits;
}

export interface MLConvTranspose2dOptions extends MLOperatorOptions {
  padding?: readonly number[];
  strides?: readonly number[];
  dilations?: readonly number[];
  outputPadding?: readonly number[];
  outputSizes?: readonly number[];
  groups?: number;
  inputLayout?: MLInputOperandLayout;
  filterLayout?: MLConvTranspose2dFilterOperandLayout;
  bias?: MLOperand;
}

export interface MLCumulativeSumOptions extends MLOperatorOptions {
  exclusive?: boolean;
  reversed?: boolean;
}

export interface MLLogicalNotSupportLimits {
  a?: MLTensorLimits;
  output?: MLTensorLimits;
}

export interface MLQuantizeDequantizeLinearSupportLimits {
  input?: MLTensorLimits;
  scale?: MLTensorLimits;
  zeroPoint?: MLTensorLimits;
  output?: MLTensorLimits;
}

export interface MLEluOptions extends MLOperatorOptions {
  alpha?: number;
}

export interface MLGatherOptions extends MLOperatorOptions {
  axis?: number;
}

export interface MLGatherSupportLimits {
  input?: MLTensorLimits;
  indices?: MLTensorLimits;
  output?: MLTensorLimits;
}

export interface MLGemmOptions extends MLOperatorOptions {
  c?: MLOperand;
  alpha?: number;
  beta?: number;
  aTranspose?: boolean;
  bTranspose?: boolean;
}

export interface MLGemmSupportLimits {
  a?: MLTensorLimits;
  b?: MLTensorLimits;
  c?: MLTensorLimits;
  output?: MLTensorLimits;
}

export interface MLGruOptions extends MLOperatorOptions {
  bias?: MLOperand;
  recurrentBias?: MLOperand;
  initialHiddenState?: MLOperand;
  resetAfter?: boolean;
  returnSequence?: boolean;
  direction?: MLRecurrentNetworkDirection;
  layout?: MLGruWeightLayout;
  activations?: readonly MLRecurrentNetworkActivation[];
}

export interface MLGruSupportLimits {
  input?: MLTensorLimits;
  weight?: MLTensorLimits;
  recurrentWeight?: MLTensorLimits;
  bias?: MLTensorLimits;
  recurrentBias?: MLTensorLimits;
  initialHiddenState?: MLTensorLimits;
  output0?: MLTensorLimits;
  output1?: MLTensorLimits;
}

export interface MLGruCellOptions extends MLOperatorOptions {
  bias?: MLOperand;
  recurrentBias?: MLOperand;
  resetAfter?: boolean;
  layout?: MLGruWeightLayout;
  activations?: readonly MLRecurrentNetworkActivation[];
}

export interface MLGruCellSupportLimits {
  input?: MLTensorLimits;
  weight?: MLTensorLimits;
  recurrentWeight?: MLTensorLimits;
  hiddenState?: MLTensorLimits;
  bias?: MLTensorLimits;
  recurrentBias?: MLTensorLimits;
  output?: MLTensorLimits;
}

export interface MLHardSigmoidOptions extends MLOperatorOptions {
  alpha?: number;
  beta?: number;
}

export interface MLInstanceNormalizationOptions extends MLOperatorOptions {
  scale?: MLOperand;
  bias?: MLOperand;
  epsilon?: number;
  layout?: MLInputOperandLayout;
}

export interface MLNormalizationSupportLimits {
  input?: MLTensorLimits;
  scale?: MLTensorLimits;
  bias?: MLTensorLimits;
  output?: MLTensorLimits;
}

export interface MLLayerNormalizationOptions extends MLOperatorOptions {
  scale?: MLOperand;
  bias?: MLOperand;
  axes?: readonly number[];
  epsilon?: number;
}

export interface MLLeakyReluOptions extends MLOperatorOptions {
  alpha?: number;
}

export interface MLLinearOptions extends MLOperatorOptions {
  alpha?: number;
  beta?: number;
}

export interface MLLstmOptions extends MLOperatorOptions {
  bias?: MLOperand;
  recurrentBias?: MLOperand;
  peepholeWeight?: MLOperand;
  initialHiddenState?: MLOperand;
  initialCellState?: MLOperand;
  returnSequence?: boolean;
  direction?: MLRecurrentNetworkDirection;
  layout?: MLLstmWeightLayout;
  activations?: readonly MLRecurrentNetworkActivation[];
}

export interface MLLstmSupportLimits {
  input?: MLTensorLimits;
  weight?: MLTensorLimits;
  recurrentWeight?: MLTensorLimits;
  bias?: MLTensorLimits;
  recurrentBias?: MLTensorLimits;
  peepholeWeight?: MLTensorLimits;
  initialHiddenState?: MLTensorLimits;
  initialCellState?: MLTensorLimits;
  output0?: MLTensorLimits;
  output1?: MLTensorLimits;
  output2?: MLTensorLimits;
}

export interface MLLstmCellOptions extends MLOperatorOptions {
  bias?: MLOperand;
  recurrentBias?: MLOperand;
  peepholeWeight?: MLOperand;
  layout?: MLLstmWeightLayout;
  activations?: readonly MLRecurrentNetworkActivation[];
}

export interface MLLstmCellSupportLimits {
  input?: MLTensorLimits;
  weight?: MLTensorLimits;
  recurrentWeight?: MLTensorLimits;
  hiddenState?: MLTensorLimits;
  cellState?: MLTensorLimits;
  bias?: MLTensorLimits;
  recurrentBias?: MLTensorLimits;
  peepholeWeight?: MLTensorLimits;
  output0?: MLTensorLimits;
  output1?: MLTensorLimits;
}

export interface MLPadOptions extends MLOperatorOptions {
  mode?: MLPaddingMode;
  value?: MLNumber;
}

export interface MLPool2dOptions extends MLOperatorOptions {
  windowDimensions?: readonly number[];
  padding?: readonly number[];
  strides?: readonly number[];
  dilations?: readonly number[];
  layout?: MLInputOperandLayout;
  outputShapeRounding?: MLRoundingType;
  outputSizes?: readonly number[];
}

export interface MLPreluSupportLimits {
  input?: MLTensorLimits;
  slope?: MLTensorLimits;
  output?: MLTensorLimits;
}

export interface MLReduceOptions extends MLOperatorOptions {
  axes?: readonly number[];
  keepDimensions?: boolean;
}

export interface MLResample2dOptions extends MLOperatorOptions {
  mode?: MLInterpolationMode;
  scales?: readonly number[];
  sizes?: readonly number[];
  axes?: readonly number[];
}

export interface MLReverseOptions extends MLOperatorOptions {
  axes?: readonly number[];
}

export interface MLScatterOptions extends MLOperatorOptions {
  axis?: number;
}

export interface MLScatterSupportLimits {
  input?: MLTensorLimits;
  indices?: MLTensorLimits;
  updates?: MLTensorLimits;
  output?: MLTensorLimits;
}

export interface MLSliceOptions extends MLOperatorOptions {
  strides?: readonly number[];
}

export interface MLSplitOptions extends MLOperatorOptions {
  axis?: number;
}

export interface MLSplitSupportLimits {
  input?: MLTensorLimits;
  outputs?: MLTensorLimits;
}

export interface MLTransposeOptions extends MLOperatorOptions {
  permutation?: readonly number[];
}

export interface MLTriangularOptions extends MLOperatorOptions {
  upper?: boolean;
  diagonal?: number;
}

export interface MLWhereSupportLimits {
  condition?: MLTensorLimits;
  trueValue?: MLTensorLimits;
  falseValue?: MLTensorLimits;
  output?: MLTensorLimits;
}

export interface ML {
  createContext(options?: MLContextOptions): Promise<MLContext>;
  createContext(gpuDevice: GPUDevice): Promise<MLContext>;
}

export interface MLContext {
  dispatch(graph: MLGraph, inputs: MLNamedTensors, outputs: MLNamedTensors): void;
  createTensor(descriptor: MLTensorDescriptor): Promise<MLTensor>;
  createExportableTensor(descriptor: MLTensorDescriptor, gpuDevice: GPUDevice): Promise<MLTensor>;
  createConstantTensor(descriptor: MLOperandDescriptor, inputData: AllowSharedBufferSource): Promise<MLTensor>;
  readTensor(tensor: MLTensor): Promise<ArrayBuffer>;
  readTensor(tensor: MLTensor, outputData: AllowSharedBufferSource): Promise<void>;
  writeTensor(tensor: MLTensor, inputData: AllowSharedBufferSource): void;
  exportToGPU(tensor: MLTensor): GPUBuffer;
  opSupportLimits(): MLOpSupportLimits;
  destroy(): void;
  readonly accelerated: boolean;
  readonly lost: Promise<MLContextLostInfo>;
}

export interface MLGraph {
  destroy(): void;
}

export interface MLOperand {
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
}

export interface MLTensor {
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  readonly readable: boolean;
  readonly writable: boolean;
  readonly constant: boolean;
  destroy(): void;
}

export interface MLGraphBuilder {
  input(name: string, descriptor: MLOperandDescriptor): MLOperand;
  constant(descriptor: MLOperandDescriptor, buffer: AllowSharedBufferSource): MLOperand;
  constant(dataType: MLOperandDataType, value: MLNumber): MLOperand;
  constant(tensor: MLTensor): MLOperand;
  build(outputs: MLNamedOperands): Promise<MLGraph>;
  argMin(input: MLOperand, axis: number, options?: MLArgMinMaxOptions): MLOperand;
  argMax(input: MLOperand, axis: number, options?: MLArgMinMaxOptions): MLOperand;
  batchNormalization(
    input: MLOperand,
    mean: MLOperand,
    variance: MLOperand,
    options?: MLBatchNormalizationOptions,
  ): MLOperand;
  cast(input: MLOperand, dataType: MLOperandDataType, options?: MLOperatorOptions): MLOperand;
  clamp(input: MLOperand, options?: MLClampOptions): MLOperand;
  concat(inputs: readonly MLOperand[], axis: number, options?: MLOperatorOptions): MLOperand;
  conv2d(input: MLOperand, filter: MLOperand, options?: MLConv2dOptions): MLOperand;
  convTranspose2d(input: MLOperand, filter: MLOperand, options?: MLConvTranspose2dOptions): MLOperand;
  cumulativeSum(input: MLOperand, axis: number, options?: MLCumulativeSumOptions): MLOperand;
  add(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  sub(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  mul(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  div(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  max(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  min(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  pow(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  equal(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  notEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  greater(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  greaterOrEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  lesser(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  lesserOrEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  logicalNot(a: MLOperand, options?: MLOperatorOptions): MLOperand;
  logicalAnd(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  logicalOr(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  logicalXor(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  isNaN(a: MLOperand, options?: MLOperatorOptions): MLOperand;
  isInfinite(a: MLOperand, options?: MLOperatorOptions): MLOperand;
  abs(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  ceil(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  cos(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  erf(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  exp(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  floor(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  identity(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  log(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  neg(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  reciprocal(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  roundEven(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  sin(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  sign(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  sqrt(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  tan(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  dequantizeLinear(input: MLOperand, scale: MLOperand, zeroPoint: MLOperand, options?: MLOperatorOptions): MLOperand;
  quantizeLinear(input: MLOperand, scale: MLOperand, zeroPoint: MLOperand, options?: MLOperatorOptions): MLOperand;
  elu(input: MLOperand, options?: MLEluOptions): MLOperand;
  expand(input: MLOperand, newShape: readonly number[], options?: MLOperatorOptions): MLOperand;
  gather(input: MLOperand, indices: MLOperand, options?: MLGatherOptions): MLOperand;
  gatherElements(input: MLOperand, indices: MLOperand, options?: MLGatherOptions): MLOperand;
  gatherND(input: MLOperand, indices: MLOperand, options?: MLOperatorOptions): MLOperand;
  gelu(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  gemm(a: MLOperand, b: MLOperand, options?: MLGemmOptions): MLOperand;
  gru(
    input: MLOperand,
    weight: MLOperand,
    recurrentWeight: MLOperand,
    steps: number,
    hiddenSize: number,
    options?: MLGruOptions,
  ): readonly MLOperand[];
  gruCell(
    input: MLOperand,
    weight: MLOperand,
    recurrentWeight: MLOperand,
    hiddenState: MLOperand,
    hiddenSize: number,
    options?: MLGruCellOptions,
  ): MLOperand;
  hardSigmoid(input: MLOperand, options?: MLHardSigmoidOptions): MLOperand;
  hardSwish(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  instanceNormalization(input: MLOperand, options?: MLInstanceNormalizationOptions): MLOperand;
  layerNormalization(input: MLOperand, options?: MLLayerNormalizationOptions): MLOperand;
  leakyRelu(input: MLOperand, options?: MLLeakyReluOptions): MLOperand;
  linear(input: MLOperand, options?: MLLinearOptions): MLOperand;
  lstm(
    input: MLOperand,
    weight: MLOperand,
    recurrentWeight: MLOperand,
    steps: number,
    hiddenSize: number,
    options?: MLLstmOptions,
  ): readonly MLOperand[];
  lstmCell(
    input: MLOperand,
    weight: MLOperand,
    recurrentWeight: MLOperand,
    hiddenState: MLOperand,
    cellState: MLOperand,
    hiddenSize: number,
    options?: MLLstmCellOptions,
  ): readonly MLOperand[];
  matmul(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  pad(
    input: MLOperand,
    beginningPadding: readonly number[],
    endingPadding: readonly number[],
    options?: MLPadOptions,
  ): MLOperand;
  averagePool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;
  l2Pool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;
  maxPool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;
  prelu(input: MLOperand, slope: MLOperand, options?: MLOperatorOptions): MLOperand;
  reduceL1(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceL2(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceLogSum(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceLogSumExp(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceMax(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceMean(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceMin(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceProduct(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceSum(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceSumSquare(input: MLOperand, options?: MLReduceOptions): MLOperand;
  relu(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  resample2d(input: MLOperand, options?: MLResample2dOptions): MLOperand;
  reshape(input: MLOperand, newShape: readonly number[], options?: MLOperatorOptions): MLOperand;
  reverse(input: MLOperand, options?: MLReverseOptions): MLOperand;
  scatterElements(input: MLOperand, indices: MLOperand, updates: MLOperand, options?: MLScatterOptions): MLOperand;
  scatterND(input: MLOperand, indices: MLOperand, updates: MLOperand, options?: MLOperatorOptions): MLOperand;
  sigmoid(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  slice(input: MLOperand, starts: readonly number[], sizes: readonly number[], options?: MLSliceOptions): MLOperand;
  softmax(input: MLOperand, axis: number, options?: MLOperatorOptions): MLOperand;
  softplus(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  softsign(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  split(input: MLOperand, splits: number | readonly number[], options?: MLSplitOptions): readonly MLOperand[];
  tanh(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  tile(input: MLOperand, repetitions: readonly number[], options?: MLOperatorOptions): MLOperand;
  transpose(input: MLOperand, options?: MLTransposeOptions): MLOperand;
  triangular(input: MLOperand, options?: MLTriangularOptions): MLOperand;
  where(condition: MLOperand, trueValue: MLOperand, falseValue: MLOperand, options?: MLOperatorOptions): MLOperand;
}
