import { type GpuBuffer, type GpuDevice, WebgpuTensor } from 'tflite-webnn';
import { describe, expect, it, vi } from 'vitest';
import { FakeContext } from './fakes/fake_webnn.js';
import { loadOn } from './fakes/load_fake.js';
import { DIRECT, sinRunner } from './fakes/sin_model.js';

class FakeBuffer implements GpuBuffer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  destroyed = false;
  isLost = false;

  constructor(readonly size: number) {
    this.bytes = new Uint8Array(size);
  }

  async mapAsync(): Promise<void> {
    if (this.isLost) throw new Error('device lost');
  }

  getMappedRange(): ArrayBuffer {
    return this.bytes.buffer;
  }

  unmap(): void {}

  destroy(): void {
    this.destroyed = true;
  }
}

class FakeDevice implements GpuDevice<FakeBuffer> {
  readonly buffers: FakeBuffer[] = [];
  isLost = false;
  readonly queue = {
    writeBuffer: (buffer: FakeBuffer, offset: number, data: AllowSharedBufferSource) => {
      buffer.bytes.set(data as Uint8Array, offset);
    },
    submit: () => undefined,
  };

  createBuffer({ size }: { size: number }): FakeBuffer {
    const buffer = new FakeBuffer(size);
    buffer.isLost = this.isLost;
    this.buffers.push(buffer);
    return buffer;
  }

  createCommandEncoder() {
    return {
      copyBufferToBuffer: (source: FakeBuffer, from: number, target: FakeBuffer, to: number, size: number) => {
        target.bytes.set(source.bytes.subarray(from, from + size), to);
      },
      finish: () => null,
    };
  }
}

const DESCRIPTOR = { dataType: 'float32', shape: [4] } as const;

describe('WebgpuTensor', () => {
  it('copies into a buffer and back', async () => {
    const [context, device] = [new FakeContext(), new FakeDevice()];
    const shared = await WebgpuTensor.create(context, { ...DESCRIPTOR, shape: [4] }, device);
    context.writeTensor(shared.tensor, Float32Array.of(1, 2, 3, 4));
    const buffer = await shared.toGpu();
    const values = new Float32Array(buffer.bytes.buffer);
    expect(Array.from(values)).toEqual([1, 2, 3, 4]);
    values[0] = 9;
    await shared.toWebnn();
    expect(Array.from(new Float32Array(await context.readTensor(shared.tensor)))).toEqual([9, 2, 3, 4]);
    expect(device.buffers.every(({ destroyed }) => destroyed)).toBe(true);
    shared.dispose();
  });

  it('belongs to one API at a time', async () => {
    const shared = await WebgpuTensor.create(new FakeContext(), { ...DESCRIPTOR, shape: [4] }, new FakeDevice());
    await expect(shared.toWebnn()).rejects.toThrow(/not on WebGPU/);
    const moving = shared.toGpu();
    await expect(shared.toGpu()).rejects.toThrow(/on WebGPU already/);
    await moving;
    await expect(shared.toGpu()).rejects.toThrow(/on WebGPU already/);
  });

  it('is rejected by models and by its getter until toWebnn() has settled', async () => {
    const context = new FakeContext();
    const model = await loadOn([context], sinRunner(DIRECT));
    const device = new FakeDevice();
    const input = await WebgpuTensor.create(context, model.inputTensorDescriptor('x'), device);
    const output = await WebgpuTensor.create(context, model.outputTensorDescriptor('y'), device);
    const [x, y] = [input.tensor, output.tensor];
    model.writeTensor(x, Float32Array.of(1, 1, 1, 1));
    const uses = [
      () => input.tensor,
      () => model.dispatch(x, y),
      () => model.dispatch(y, x),
      () => model.writeTensor(x, Float32Array.of(0, 0, 0, 0)),
    ];
    const expectRejected = async () => {
      for (const use of uses)
        expect(use).toThrow(expect.objectContaining({ name: 'TensorError', code: 'TENSOR_USAGE' }));
      expect(uses[0]).toThrow(/await toWebnn\(\) first/);
      await expect(model.readTensor(x)).rejects.toThrow(
        expect.objectContaining({ name: 'TensorError', code: 'TENSOR_USAGE' }),
      );
    };
    const moving = input.toGpu();
    for (const use of uses) expect(use).toThrow(expect.objectContaining({ name: 'TensorError', code: 'TENSOR_USAGE' }));
    const buffer = await moving;
    await expectRejected();
    new Float32Array(buffer.bytes.buffer)[0] = 9;
    const returning = input.toWebnn();
    for (const use of uses) expect(use).toThrow(expect.objectContaining({ name: 'TensorError', code: 'TENSOR_USAGE' }));
    await returning;
    expect(Array.from((await model.readTensor(input.tensor)) as Float32Array)).toEqual([9, 1, 1, 1]);
    model.dispatch(x, y);
    model.dispose();
  });

  it('is WebNN’s again, with its old values, where the buffer cannot be read', async () => {
    const [context, device] = [new FakeContext(), new FakeDevice()];
    const shared = await WebgpuTensor.create(context, { ...DESCRIPTOR, shape: [4] }, device);
    context.writeTensor(shared.tensor, Float32Array.of(1, 2, 3, 4));
    const buffer = await shared.toGpu();
    buffer.bytes.fill(0);
    device.isLost = true;
    await expect(shared.toWebnn()).rejects.toThrow(/device lost.*values from before toGpu\(\).*request another one/s);
    expect(device.buffers.map(({ destroyed }) => destroyed)).toEqual([true, true]); // the staging buffer, too
    expect(buffer.destroyed).toBe(true);
    expect(Array.from(new Float32Array(await context.readTensor(shared.tensor)))).toEqual([1, 2, 3, 4]);
    device.isLost = false;
    await shared.toGpu();
    await shared.toWebnn();
  });

  it('leaves no buffer where it is destroyed while WebGPU has it', async () => {
    const [context, device] = [new FakeContext(), new FakeDevice()];
    const shared = await WebgpuTensor.create(context, DESCRIPTOR, device);
    const moving = shared.toGpu();
    shared.dispose();
    await expect(moving).rejects.toThrow(
      expect.objectContaining({ name: 'TensorError', code: 'TENSOR_IO_UNAVAILABLE' }),
    );
    expect(device.buffers.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('is destroyed for models, too, where it was disposed of while WebGPU had it', async () => {
    const context = new FakeContext();
    const model = await loadOn([context], sinRunner(DIRECT));
    const shared = await WebgpuTensor.create(context, model.inputTensorDescriptor('x'), new FakeDevice());
    const { tensor } = shared;
    await shared.toGpu();
    shared.dispose();
    expect(() => model.writeTensor(tensor, new Float32Array(4))).not.toThrow(/toWebnn/);
  });

  it('reports what the browser says, with the next step', async () => {
    const [context, device] = [new FakeContext(), new FakeDevice()];
    const shared = await WebgpuTensor.create(context, DESCRIPTOR, device);
    vi.spyOn(context, 'readTensor').mockRejectedValue(new DOMException('context lost', 'InvalidStateError'));
    await expect(shared.toGpu()).rejects.toThrow(/WebGPU cannot get the tensor.*context lost.*Make another one/);
    await expect(shared.toGpu()).rejects.toThrow(
      expect.objectContaining({ name: 'TensorError', code: 'TENSOR_IO_UNAVAILABLE' }),
    );
    vi.spyOn(context, 'createTensor').mockRejectedValue(new TypeError('no such type'));
    const making = WebgpuTensor.create(context, DESCRIPTOR, device);
    await expect(making).rejects.toThrow(/WebNN cannot create it.*no such type.*Pass a descriptor of the model/);
  });
});
