/** Models as text, one line per node, for golden files. */

import type { Model, ModelNode, ModelTensor, Quantization } from '../../src/tflite/model.js';
import { type ConstantTensor, numbersOf } from '../../src/tflite/tensor.js';

/** Constants up to this many elements are printed. */
const MAX_SHOWN = 8;

/** Which results have their type: all, or those whose type is not the first input's. */
export type ShownTypes = 'all' | 'changed';

/** For example `ADD(x, [1,2]) {fused_activation_function: NONE} -> y float32[2]`. */
export function describeModel(model: Model, shown: ShownTypes = 'all'): string[] {
  const numbers = new Map<number, string>();
  for (const { name, tensor } of model.inputs) numbers.set(tensor, name);
  return model.nodes.map((node) => describeNode(model, node, numbers, shown));
}

function describeNode(model: Model, node: ModelNode, numbers: Map<number, string>, shown: ShownTypes): string {
  const inputs = node.inputs.map((index) => numbers.get(index) ?? describeConstant(model.tensors[index]));
  const typeOf = (index: number) => describeType(model.tensors[index] as ModelTensor);
  const first = node.inputs.find((index) => numbers.has(index));
  const implied = shown === 'changed' && first !== undefined ? typeOf(first) : undefined;
  const outputs = node.outputs.map((index) => {
    const output = model.outputs.find(({ tensor }) => tensor === index);
    const name = output?.name ?? `t${numbers.size}`;
    numbers.set(index, name);
    return typeOf(index) === implied ? name : `${name} ${typeOf(index)}`;
  });
  const options = Object.entries(node.options).map(([name, value]) => `${name}: ${value}`);
  const braces = options.length === 0 ? '' : ` {${options.join(', ')}}`;
  return `${node.op}(${inputs.join(', ')})${braces} -> ${outputs.join(', ')}`;
}

function describeConstant(tensor: ModelTensor | undefined): string {
  if (tensor?.data === undefined) return 'nothing';
  const isShort = tensor.shape.reduce((product, size) => product * size, 1) <= MAX_SHOWN;
  if (!isShort) return describeType(tensor);
  const values = numbersOf(tensor as ConstantTensor).map((value) => Number(value.toPrecision(6)));
  return `${describeType(tensor)} ${tensor.shape.length === 0 ? values[0] : `[${values}]`}`;
}

function describeType({ type, shape, quantization }: ModelTensor): string {
  return `${type.toLowerCase()}[${shape}]${quantization === undefined ? '' : describeQuantization(quantization)}`;
}

function describeQuantization({ scales, zeroPoints, axis }: Quantization): string {
  const rounded = scales.map((scale) => Number(scale.toPrecision(4)));
  return scales.length === 1 ? ` (${rounded}, ${zeroPoints})` : ` (axis ${axis}: ${rounded})`;
}
