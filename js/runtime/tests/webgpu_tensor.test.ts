import { describe, expect, it, vi } from 'vitest';
import { TensorIoUnavailableError } from '../src/ml_tensors/tensor_errors.js';
import { type GpuBuffer, type GpuDevice, WebgpuTensor } from '../src/ml_tensors/webgpu_tensor.js';
import { FakeContext } from './fakes/fake_webnn.js';

class FakeBuffer implements GpuBuffer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  destroyed = false;

  constructor(readonly size: number) {
    this.bytes = new Uint8Array(size);
  }

  async mapAsync(): Promise<void> {}

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
  readonly queue = {
    writeBuffer: (buffer: FakeBuffer, offset: number, data: AllowSharedBufferSource) => {
      buffer.bytes.set(data as Uint8Array, offset);
    },
    submit: () => undefined,
  };

  createBuffer({ size }: { size: number }): FakeBuffer {
    const buffer = new FakeBuffer(size);
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
    const buffer = await shared.rent();
    const values = new Float32Array(buffer.bytes.buffer);
    expect(Array.from(values)).toEqual([1, 2, 3, 4]);
    values[0] = 9;
    await shared.giveBack();
    expect(Array.from(new Float32Array(await context.readTensor(shared.tensor)))).toEqual([9, 2, 3, 4]);
    expect(shared.isShared).toBe(false);
    expect(device.buffers.every(({ destroyed }) => destroyed)).toBe(true);
    shared.destroy();
  });

  it('is one side’s at a time', async () => {
    const shared = await WebgpuTensor.create(new FakeContext(), { ...DESCRIPTOR, shape: [4] }, new FakeDevice());
    await expect(shared.giveBack()).rejects.toThrow(/not rented/);
    const renting = shared.rent();
    await expect(shared.rent()).rejects.toThrow(/rented already/);
    await renting;
    await expect(shared.rent()).rejects.toThrow(/rented already/);
  });

  it('is still rented after giving it back has failed, and can be given back again', async () => {
    const [context, device] = [new FakeContext(), new FakeDevice()];
    const shared = await WebgpuTensor.create(context, { ...DESCRIPTOR, shape: [4] }, device);
    const buffer = await shared.rent();
    vi.spyOn(FakeBuffer.prototype, 'mapAsync').mockRejectedValueOnce(new Error('out of memory'));
    await expect(shared.giveBack()).rejects.toThrow('out of memory');
    expect(buffer.destroyed).toBe(false);
    await expect(shared.rent()).rejects.toThrow(/rented already/);
    await shared.giveBack();
    await shared.rent();
  });

  it('takes the memory itself where that is asked for and there', async () => {
    const [context, buffer] = [new FakeContext(), new FakeBuffer(16)];
    Object.assign(context, {
      createExportableTensor: (descriptor: never) => context.createTensor(descriptor),
      exportToGPU: async () => buffer,
    });
    const descriptor = { ...DESCRIPTOR, shape: [4] };
    const shared = await WebgpuTensor.create(context, descriptor, new FakeDevice(), { shareMemory: true });
    expect(await shared.rent()).toBe(buffer);
    await shared.giveBack();
    expect(buffer.destroyed).toBe(true);
    expect(shared.isShared).toBe(true);
  });

  it('says so where the browser cannot', async () => {
    const making = WebgpuTensor.create(new FakeContext(), { ...DESCRIPTOR, shape: [4] }, new FakeDevice(), {
      shareMemory: true,
    });
    await expect(making).rejects.toThrow(TensorIoUnavailableError);
  });
});
