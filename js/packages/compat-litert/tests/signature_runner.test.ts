import { CompiledModel, Environment, loadLiteRt, Tensor } from '@tflite-webnn/compat-litert';
import type { ShapedValues, SignatureInfo, SubgraphInfo, TensorInfo, TFLiteModel } from 'tflite-webnn';
import { ModelDisposedError } from 'tflite-webnn';
import { beforeAll, describe, expect, it } from 'vitest';

beforeAll(() => loadLiteRt());

const OPTIONS = {
  environment: new Environment({ webGpuDevice: null }),
  accelerator: 'wasm',
  cpuOptions: {},
  gpuOptions: {},
  webNNOptions: {},
} as const;

function info(index: number, name: string, shapeSignature: readonly number[]): TensorInfo {
  const shape = shapeSignature.map((size) => Math.max(size, 1));
  return { index, name, dtype: 'float32', shape, shapeSignature, sizeBytes: 0, quantization: null };
}

interface Parts {
  inputs: TensorInfo[];
  signatures?: SignatureInfo[];
  subgraphs?: SubgraphInfo[];
}

/** A model whose output is the first input, and that logs its calls. */
function fakeModel({ inputs, signatures = [], subgraphs = [] }: Parts) {
  const calls: string[] = [];
  const result = (values: ShapedValues, name: string) => ({ ...values, name, dtype: 'float32', quantization: null });
  const model = {
    inputs,
    outputs: [info(9, 'y', inputs[0]?.shapeSignature ?? [])],
    signatures,
    subgraphs,
    executionMode: 'cpu',
    async resizeInputs(shapes: number[][] | Record<string, number[]>, signature?: string) {
      calls.push(`resize ${JSON.stringify(shapes)}${signature ?? ''}`);
      const now = Array.isArray(shapes) ? shapes : Object.values(shapes);
      const part = signature === undefined ? this : { inputs: subgraphs[0]?.inputs ?? [] };
      for (const [position, input] of part.inputs.entries()) Object.assign(input, { shape: now[position] });
    },
    async run(values: ShapedValues[]) {
      calls.push(`run ${JSON.stringify(values.map(({ shape }) => shape))}`);
      return [result(values[0] as ShapedValues, 'y')];
    },
    async runSignature(key: string, values: Record<string, ShapedValues>) {
      calls.push(`run ${key} ${Object.keys(values)}`);
      return { out: result(Object.values(values)[0] as ShapedValues, 'out') };
    },
    dispose: () => calls.push('dispose'),
  };
  return { compiled: CompiledModel.of(model as unknown as TFLiteModel, OPTIONS, () => calls.push('deleted')), calls };
}

const ofShape = (...shape: number[]) => new Tensor(new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(1), shape);

describe('CompiledModel', () => {
  it('has one signature where the file has none', async () => {
    const { compiled } = fakeModel({ inputs: [info(0, 'x', [2])] });
    expect(compiled.key).toBe('<placeholder signature>');
    expect(Object.keys(compiled.signatures)).toEqual([compiled.key]);
    const [output] = await compiled.run(compiled.key, ofShape(2));
    expect(output?.type).toEqual({ dtype: 'float32', layout: { dimensions: [2] } });
  });

  it("puts inputs into the subgraph's order, by the signature's names", async () => {
    const inputs = [info(5, 'serving_b:0', [2]), info(3, 'serving_a:0', [1])];
    const names = [
      { name: 'a', tensor: 3 },
      { name: 'b', tensor: 5 },
    ];
    const signatures = [{ key: 'main', subgraph: 0, inputs: names, outputs: [{ name: 'sum', tensor: 9 }] }];
    const { compiled, calls } = fakeModel({ inputs, signatures });
    expect(compiled.getInputDetails().map(({ name, index }) => [name, index])).toEqual([
      ['b', 0],
      ['a', 1],
    ]);
    const results = await compiled.run({ a: ofShape(1), b: ofShape(2), other: ofShape(7) });
    expect(Object.keys(results)).toEqual(['sum']);
    await compiled.run([ofShape(2), ofShape(1)]);
    expect(calls).toEqual(['run [[2],[1]]', 'run [[2],[1]]']);
  });

  it('resizes open inputs, and describes sizes that may vary', async () => {
    const { compiled, calls } = fakeModel({ inputs: [info(0, 'x', [-1, -1, 3])] });
    expect(compiled.getInputDetails()[0]?.shape).toEqual(Int32Array.of(1, -1, 3));
    const runs = [ofShape(1, 1, 3), ofShape(2, 4, 3), ofShape(2, 4, 3)].map((tensor) => compiled.run(tensor));
    expect((await Promise.all(runs)).map(([output]) => output?.type.layout.dimensions)).toEqual([
      [1, 1, 3],
      [2, 4, 3],
      [2, 4, 3],
    ]);
    expect(calls).toEqual(['run [[1,1,3]]', 'resize [[2,4,3]]', 'run [[2,4,3]]', 'run [[2,4,3]]']);
  });

  it('leaves shapes that the model does not declare to the runtime', async () => {
    const { compiled, calls } = fakeModel({ inputs: [info(0, 'x', [-1, 3])] });
    await compiled.run(ofShape(2, 4));
    await compiled.run(ofShape(6));
    expect(calls).toEqual(['run [[2,4]]', 'run [[6]]']);
  });

  it('runs a subgraph by its signature, in its shapes', async () => {
    const subgraphs = [{ index: 1, inputs: [info(0, 't0', [-1])], outputs: [info(1, 't1', [-1])] }];
    const signatures = [
      { key: 'decode', subgraph: 1, inputs: [{ name: 'in', tensor: 0 }], outputs: [{ name: 'out', tensor: 1 }] },
    ];
    const { compiled, calls } = fakeModel({ inputs: [info(0, 'x', [2])], signatures, subgraphs });
    const named = await compiled.run({ in: ofShape(3) });
    expect(named.out?.type.layout.dimensions).toEqual([3]);
    await compiled.run('decode', [ofShape(3)]);
    expect(calls).toEqual(['resize {"in":[3]}decode', 'run decode in', 'run decode in']);
  });

  it('returns the outputs that the signature of a subgraph names', async () => {
    const outputs = [info(1, 't1', [3]), info(2, 't2', [3])];
    const subgraphs = [{ index: 1, inputs: [info(0, 't0', [3])], outputs }];
    const signatures = [{ key: 'decode', subgraph: 1, inputs: [], outputs: [{ name: 'out', tensor: 2 }] }];
    const { compiled } = fakeModel({ inputs: [info(0, 'x', [2])], signatures, subgraphs });
    expect(compiled.getOutputDetails().map(({ name }) => name)).toEqual(['out']);
    expect(await compiled.run(ofShape(3))).toHaveLength(1);
    expect(Object.keys(await compiled.run({ t0: ofShape(3) }))).toEqual(['out']);
  });

  it('names the signatures that there are', async () => {
    const { compiled } = fakeModel({ inputs: [info(0, 'x', [2])] });
    await expect(compiled.run('toString', ofShape(2))).rejects.toThrow(
      expect.objectContaining({
        message: 'The model has no signature toString. It has: <placeholder signature>.',
        details: { key: 'toString' },
      }),
    );
    const alone = compiled.run as unknown as (key: string) => Promise<unknown>;
    await expect(alone.call(compiled, compiled.key)).rejects.toThrow(
      'The signature <placeholder signature> got no inputs.',
    );
  });

  it('accepts tensors that are in host memory', () => {
    const { compiled } = fakeModel({ inputs: [info(0, 'x', [2])] });
    expect(compiled.getInputDetails()).toEqual([
      { name: 'x', index: 0, dtype: 'float32', shape: Int32Array.of(2), supportedBufferTypes: new Set([1]) },
    ]);
    expect(compiled.getOutputDetails()).toMatchObject([{ name: 'y', index: 0 }]);
    expect(Object.isFrozen(compiled.getInputDetails())).toBe(true);
  });

  it('runs on after a run that failed', async () => {
    const { compiled } = fakeModel({ inputs: [info(0, 'x', [-1])] });
    const model = compiled as unknown as { run: CompiledModel['run'] };
    await expect(model.run([])).rejects.toThrow('has 1 inputs; got 0');
    expect(await model.run(ofShape(2))).toHaveLength(1);
  });

  it.each([
    ['a record without it', {}, 'The input x must be a Tensor of tflite-webnn/litert; got undefined'],
    ['an array of values', [new Float32Array(2)], 'got Float32Array'],
    ['values', new Float32Array(2), 'got undefined'],
    ['nothing', undefined, 'got undefined'],
    ['too many', [0, 1], 'has 1 inputs; got 2'],
  ])('rejects %s', async (_, provided, message) => {
    const { compiled } = fakeModel({ inputs: [info(0, 'x', [2])] });
    await expect(compiled.run(provided as never)).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'LITERT_INPUT' }),
    );
    await expect(compiled.run(provided as never)).rejects.toThrow(message);
  });

  it('is freed once, with its signatures', async () => {
    const { compiled, calls } = fakeModel({ inputs: [info(0, 'x', [2])] });
    const signature = compiled.signatures[compiled.key];
    compiled.delete();
    compiled.delete();
    expect(calls).toEqual(['dispose', 'deleted']);
    expect(() => compiled.getOutputDetails()).toThrow(ModelDisposedError);
    expect(() => compiled.isFullyAccelerated).toThrow(ModelDisposedError);
    expect(() => signature?.getInputDetails()).toThrow('The model is deleted');
    await expect(compiled.run(ofShape(2))).rejects.toThrow(ModelDisposedError);
  });
});
