import {
  Environment,
  getGlobalLiteRt,
  LiteRtNotLoadedError,
  LiteRtUnsupportedError,
  loadLiteRt,
  loadModelAndWeights,
  Tensor,
  TensorBufferType,
  unloadLiteRt,
} from '@tflite-webnn/compat-litert';
import { ModelDisposedError } from 'tflite-webnn';
import { beforeAll, describe, expect, it } from 'vitest';

beforeAll(() => loadLiteRt());

describe('Tensor', () => {
  it.each([
    [Float32Array.of(1.5), 'float32'],
    [Float64Array.of(1.5), 'float64'],
    [Int8Array.of(-1), 'int8'],
    [Uint8Array.of(1), 'uint8'],
    [Uint8ClampedArray.of(1), 'uint8'],
    [Int16Array.of(-1), 'int16'],
    [Uint16Array.of(1), 'uint16'],
    [Int32Array.of(-1), 'int32'],
    [Uint32Array.of(1), 'uint32'],
    [BigInt64Array.of(-1n), 'int64'],
    [BigUint64Array.of(1n), 'uint64'],
  ] as const)('accepts %o as %s', (data, dtype) => {
    const tensor = new Tensor(data);
    expect(tensor.type).toEqual({ dtype, layout: { dimensions: [1] } });
    expect(tensor.toTypedArray()).toEqual(data);
  });

  it("copies its values, also from a Buffer of Node's, whose slice() shares memory", () => {
    const provided = Buffer.of(1, 2);
    const tensor = new Tensor(provided);
    provided[0] = 9;
    tensor.toTypedArray()[1] = 9;
    expect(tensor.toTypedArray()).toEqual(Uint8Array.of(1, 2));
  });

  it('copies its values', () => {
    const provided = Float32Array.of(1, 2);
    const tensor = new Tensor(provided, [1, 2]);
    provided[0] = 9;
    tensor.toTypedArray()[1] = 9;
    expect([...tensor.toTypedArray()]).toEqual([1, 2]);
  });

  it('is of its environment, and its copies are', async () => {
    const [environment, data] = [await Environment.create(), Float32Array.of(1)];
    const tensors = [new Tensor(data, [1], environment), Tensor.fromTypedArray(data, [1], environment)];
    expect(tensors.map((tensor) => tensor.environment)).toEqual([environment, environment]);
    expect((await tensors[0]?.copyTo(TensorBufferType.WEB_GPU_BUFFER_PACKED))?.environment).toBe(environment);
    expect(new Tensor(data).environment).toBe(getGlobalLiteRt().getDefaultEnvironment());
    environment.delete();
    expect(environment.webGpuDevice).toBeNull();
  });

  it('accepts the shape as a list or an array, no elements, and a scalar', () => {
    expect(new Tensor(new Float32Array(6), Int32Array.of(2, 3)).type.layout.dimensions).toEqual([2, 3]);
    expect(new Tensor(new Float32Array(0), [0, 3]).type.layout.dimensions).toEqual([0, 3]);
    expect(new Tensor(new Float32Array(1), []).type.layout.dimensions).toEqual([]);
  });

  it.each([
    ['too few', () => new Tensor(new Float32Array(3), [2, 2]), 'The shape [2, 2] has 4 elements; the array has 3.'],
    ['a negative size', () => new Tensor(new Float32Array(2), [-1, -2]), 'integers, 0 or more; got [-1, -2]'],
    ['a list', () => new Tensor([1, 2] as never), 'created from a typed array; got Array'],
    ['nothing', () => new Tensor(undefined as never), 'created from a typed array; got undefined'],
    [
      'an array of no known type',
      () => {
        class Odd extends Float32Array {}
        Object.defineProperty(Odd.prototype, Symbol.toStringTag, { value: 'Odd' });
        return new Tensor(new Odd(1));
      },
      'A Odd holds no element type of a tensor.',
    ],
    ['a fraction', () => new Tensor(new Float32Array(1), [0.5, 2]), 'integers, 0 or more; got [0.5, 2]'],
    ['a DataView', () => new Tensor(new DataView(new ArrayBuffer(4)) as never), 'got DataView'],
  ])('rejects %s', (_, create, message) => {
    expect(create).toThrow(expect.objectContaining({ name: 'TensorError', code: 'LITERT_TENSOR' }));
    expect(create).toThrow(message);
  });

  it('remains in host memory when it is moved to WebGPU', async () => {
    const tensor = new Tensor(Float32Array.of(1, 2));
    const moved = await tensor.moveTo('webgpu');
    expect([tensor.deleted, moved.deleted]).toEqual([true, false]);
    expect([moved.accelerator, moved.bufferType]).toEqual(['wasm', TensorBufferType.HOST_MEMORY]);
    expect([...(await moved.data())]).toEqual([1, 2]);
    expect([...(await moved.moveTo('wasm')).toTypedArray()]).toEqual([1, 2]);
  });

  it('copies into another environment', async () => {
    const environment = await Environment.create();
    const copy = await new Tensor(Int8Array.of(3)).copyTo('wasm', { environment });
    expect(copy.environment).toBe(environment);
    expect(copy.toTypedArray<Int8Array>()).toEqual(Int8Array.of(3));
  });

  it('lists the destinations', async () => {
    const tensor = new Tensor(Float32Array.of(1));
    for (const [destination, name] of [
      ['webnn', 'webnn'],
      [TensorBufferType.WEB_GPU_BUFFER, 'WEB_GPU_BUFFER'],
      [99, '99'],
    ] as const) {
      const copying = tensor.copyTo(destination as never);
      await expect(copying).rejects.toThrow(expect.objectContaining({ name: 'TensorError', code: 'LITERT_TENSOR' }));
      await expect(copying).rejects.toThrow(expect.objectContaining({ details: { destination } }));
      await expect(copying).rejects.toThrow(`no copyTo() for ${name}: it is wasm, webgpu, or one of HOST_MEMORY`);
    }
  });

  it('calls back when it is deleted, once', () => {
    let calls = 0;
    const tensor = new Tensor(Float32Array.of(1), undefined, undefined, () => {
      calls += 1;
    });
    tensor.delete();
    tensor.delete();
    expect(calls).toBe(1);
    expect(() => tensor.toTypedArray()).toThrow(ModelDisposedError);
    expect(() => tensor.accelerator).toThrow('The tensor is deleted');
    expect(() => tensor.getBufferType()).toThrow(ModelDisposedError);
  });

  it("says that there are no GPUBuffers, and none of LiteRT's own objects", async () => {
    class GPUBuffer {}
    expect(() => new Tensor(new GPUBuffer() as never, [1], 'float32')).toThrow(LiteRtUnsupportedError);
    expect(() => new Tensor(new GPUBuffer() as never, [1], 'float32')).toThrow('cannot be created from a GPUBuffer');
    const tensor = new Tensor(Float32Array.of(1));
    expect(() => tensor.toGpuBuffer()).toThrow('have no GPUBuffer');
    expect(() => tensor.liteRtTensorBuffer).toThrow(LiteRtUnsupportedError);
    expect(() => getGlobalLiteRt().liteRtWasm).toThrow(LiteRtUnsupportedError);
    await expect(loadModelAndWeights(new Uint8Array(), new ReadableStream())).rejects.toThrow(LiteRtUnsupportedError);
  });

  it('needs loadLiteRt()', async () => {
    unloadLiteRt();
    expect(() => new Tensor(Float32Array.of(1))).toThrow(LiteRtNotLoadedError);
    await loadLiteRt();
  });
});
