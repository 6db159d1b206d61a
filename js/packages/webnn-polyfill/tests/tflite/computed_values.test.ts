/** Values of graphs whose lowering once changed them: shared tensors, ties, and numbers at the end of a type's range. */

import { expect, it } from 'vitest';
import type { MLGraphBuilder, MLOperand, MLOperandDataType } from 'webnn-polyfill';
import { describeOnModule, WASM } from '../../../../built_module.js';
import { type LocalContext, openLocalContext } from '../../src/tflite/engine/local_context.js';
import type { LocalTensor } from '../../src/tflite/engine/local_tensor.js';
import { Quantizer } from './quantizer.js';
import { graphOf, newBuilder } from './recorder.js';

const ARRAYS = { float32: Float32Array, int32: Int32Array, int8: Int8Array, uint8: Uint8Array } as const;
type DataType = keyof typeof ARRAYS;

function bytesOf(dataType: DataType, values: readonly number[]): Uint8Array {
  return new Uint8Array(ARRAYS[dataType].from(values).buffer);
}

function read(tensor: LocalTensor, dataType: MLOperandDataType): number[] {
  return Array.from(new ARRAYS[dataType as DataType](tensor.read().slice().buffer));
}

/** Creates operands from values; those of inputs are written before the run. */
class Values {
  readonly written: Uint8Array[] = [];

  constructor(readonly builder: MLGraphBuilder = newBuilder()) {}

  input(dataType: DataType, shape: readonly number[], values: readonly number[]): MLOperand {
    this.written.push(bytesOf(dataType, values));
    return this.builder.input(`x${this.written.length}`, { dataType, shape });
  }

  constant(dataType: DataType, shape: readonly number[], values: readonly number[]): MLOperand {
    return this.builder.constant({ dataType, shape }, bytesOf(dataType, values));
  }
}

interface Built {
  readonly context: LocalContext;
  readonly outputs: readonly LocalTensor[];
  dispatch(outputs?: readonly LocalTensor[]): void;
}

async function build(values: Values, results: readonly MLOperand[]): Promise<Built> {
  const graph = graphOf(values.builder, results);
  const context = await openLocalContext(WASM);
  const built = await context.build(graph);
  const inputs = graph.inputs.map(({ operand }, index) => {
    const tensor = context.createTensor(graph.operands[operand] as never);
    tensor.write(values.written[index] as Uint8Array);
    return tensor;
  });
  const outputs = results.map((result) => context.createTensor(result));
  return { context, outputs, dispatch: (tensors = outputs) => built.dispatch(inputs, tensors) };
}

async function valuesOf(create: (values: Values) => readonly MLOperand[]): Promise<number[][]> {
  const values = new Values();
  const results = create(values);
  const { context, outputs, dispatch } = await build(values, results);
  dispatch();
  const computed = outputs.map((tensor, index) => read(tensor, (results[index] as MLOperand).dataType));
  context.destroy();
  return computed;
}

function count(size: number): number[] {
  return Array.from({ length: size }, (_, index) => index);
}

const FROM_NCHW = [0, 2, 3, 1];
const TO_NCHW = [0, 3, 1, 2];

describeOnModule('an activation', () => {
  it('is not fused into a layer whose result is needed in another layout', async () => {
    const [layer, activated] = await valuesOf((v) => {
      const x = v.input('float32', [1, 1, 2, 2], [1, -2, 3, -4]);
      const y = v.builder.conv2d(x, v.constant('float32', [2, 1, 1, 1], [1, -1]));
      return [y, v.builder.relu(v.builder.transpose(y, { permutation: FROM_NCHW }))];
    });
    expect(layer).toEqual([1, -2, 3, -4, -1, 2, -3, 4]);
    expect(activated).toEqual([1, 0, 0, 2, 3, 0, 0, 4]);
  });

  it('is not fused into a layer whose result has been transposed there and back', async () => {
    const [transposed, activated] = await valuesOf((v) => {
      const x = v.input('float32', [1, 1, 2, 1], [1, -2]);
      const options = { inputLayout: 'nhwc', filterLayout: 'ohwi' } as const;
      const y = v.builder.conv2d(x, v.constant('float32', [1, 1, 1, 1], [1]), options);
      const nchw = v.builder.transpose(y, { permutation: TO_NCHW });
      return [nchw, v.builder.relu(v.builder.transpose(nchw, { permutation: FROM_NCHW }))];
    });
    expect([transposed, activated]).toEqual([
      [1, -2],
      [1, 0],
    ]);
  });
});

describeOnModule('outputs', () => {
  it('of one operand do not share memory', async () => {
    const values = new Values();
    const y = values.builder.neg(values.input('float32', [2], [1, 2]));
    const { context, outputs, dispatch } = await build(values, [y, y]);
    dispatch();
    const [first, second] = outputs as [LocalTensor, LocalTensor];
    first.write(bytesOf('float32', [7, 7]));
    expect(read(second, 'float32')).toEqual([-1, -2]);
    context.destroy();
  });

  it('of constants remain what they are when a tensor with one is overwritten', async () => {
    const values = new Values();
    const x = values.input('float32', [2], [1, 2]);
    const five = values.constant('float32', [2], [5, 6]);
    const results = [values.builder.identity(five), values.builder.add(x, five)];
    const { context, outputs, dispatch } = await build(values, results);
    dispatch();
    const [first, second] = outputs as [LocalTensor, LocalTensor];
    first.write(bytesOf('float32', [7, 7]));
    first.swap(bytesOf('float32', [8, 8]).slice());
    const other = context.createTensor({ dataType: 'float32', shape: [2] });
    dispatch([other, second]);
    expect([read(first, 'float32'), read(other, 'float32')]).toEqual([
      [8, 8],
      [5, 6],
    ]);
    context.destroy();
  });
});

describeOnModule('integers', () => {
  it.each(['reduceSum', 'reduceMean'] as const)('are requantized by %s without axes', async (op) => {
    const [y] = await valuesOf((v) => {
      const parameters = (scale: number) =>
        [v.constant('float32', [1], [scale]), v.constant('int8', [1], [0])] as const;
      const x = v.builder.dequantizeLinear(v.input('int8', [3], [10, -20, 30]), ...parameters(0.5));
      return [v.builder.quantizeLinear(v.builder[op](x, { axes: [] }), ...parameters(1))];
    });
    expect(y).toEqual([5, -10, 15]);
  });

  it('have powers of the lowest exponent', async () => {
    const lowest = -(2 ** 31);
    const [y] = await valuesOf((v) => [
      v.builder.pow(v.input('int32', [4], [2, 1, -1, -1]), v.input('int32', [4], [lowest, lowest, lowest, lowest + 1])),
    ]);
    expect(y).toEqual([0, 1, 1, -1]);
  });

  it('of 32 bits are dequantized without overflow', async () => {
    const [y] = await valuesOf((v) => [
      v.builder.dequantizeLinear(
        v.input('int32', [2], [2e9, -2e9]),
        v.constant('float32', [1], [0.5]),
        v.constant('int32', [1], [-2e9]),
      ),
    ]);
    expect(y).toEqual([2e9, 0]);
  });

  it('of 32 bits are quantized exactly', async () => {
    const [y] = await valuesOf((v) => [
      v.builder.quantizeLinear(
        v.input('float32', [5], [3e9, -Number.POSITIVE_INFINITY, 0, 1, 3]),
        v.constant('float32', [5], [1, 1, 1, 1, 1]),
        v.constant('int32', [5], [0, 5, -(2 ** 31), 2 ** 24 + 1, 2 ** 24 + 1]),
      ),
    ]);
    expect(y).toEqual([2 ** 31 - 1, -(2 ** 31), -(2 ** 31), 2 ** 24 + 2, 2 ** 24 + 4]);
  });

  it('are those of a layer whose weights have one scale, and its bias several', async () => {
    const m = new Quantizer();
    const v = new Values(m.builder);
    const x = m.dq(v.input('int8', [1, 2], [10, 20]), [0.5, 0]);
    const weights = m.dq(v.constant('int8', [2, 2], [1, 2, 3, 4]), [0.5, 0]);
    const y = m.q(m.builder.gemm(x, weights, { bTranspose: true, c: m.bias([0.25, 0.25]) }), [1, 0]);
    const { context, outputs, dispatch } = await build(v, [y]);
    dispatch();
    // (10 + 40 + 100) / 4 is between two integers.
    expect(read(outputs[0] as LocalTensor, 'int8')).toEqual([38, 52]);
    context.destroy();
  });
});

describeOnModule('quantizeLinear', () => {
  const halves = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 300, -300];
  const rounded = [0, 2, 2, 0, -2, -2, 127, -128];

  it.each([
    ['a constant', 'constant', [8]],
    ['an input', 'input', [8]],
    ['an input of seven dimensions', 'input', [1, 2, 1, 2, 1, 2, 1]],
  ] as const)('rounds ties to even: %s', async (_, kind, shape) => {
    const [y] = await valuesOf((v) => {
      const one = v.constant('float32', [], [1]);
      return [v.builder.quantizeLinear(v[kind]('float32', shape, halves), one, v.constant('int8', [], [0]))];
    });
    expect(y).toEqual(rounded);
  });
});

describeOnModule('transpose', () => {
  it.each([7, 8])('turns %d dimensions, of which no two remain neighbours', async (rank) => {
    const shape = new Array<number>(rank).fill(2);
    const [y] = await valuesOf((v) => [v.builder.transpose(v.input('float32', shape, count(2 ** rank)))]);
    const reversed = count(2 ** rank).map((index) =>
      Number.parseInt([...index.toString(2).padStart(rank, '0')].reverse().join(''), 2),
    );
    expect(y).toEqual(reversed);
  });
});

describeOnModule('gemm', () => {
  it('does not overflow where alpha times the weights would', async () => {
    const [y] = await valuesOf((v) => {
      const [a, b] = [v.input('float32', [1, 1], [2 ** -60]), v.constant('float32', [1, 1], [2 ** 40])];
      return [v.builder.gemm(a, b, { alpha: 2 ** 100, c: v.constant('float32', [1], [2 ** 79]) })];
    });
    expect(y).toEqual([2 ** 80 + 2 ** 79]);
  });
});
