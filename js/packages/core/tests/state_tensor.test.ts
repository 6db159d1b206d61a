/** The values of one tensor by itself: where they are, and when they move. */

import { StateLostError, type StateTensorInfo, WebnnRunError } from 'tflite-webnn';
import { describe, expect, it, vi } from 'vitest';
import { HeapStorage, StateTensor } from '../src/model/state_tensor.js';
import { FakeHeap } from './fakes/fake_heap.js';
import { backendOn, FakeContext } from './fakes/fake_webnn.js';
import { leftOn } from './fakes/load_fake.js';
import { port } from './fakes/state_model.js';

const INFO: StateTensorInfo = { name: 'total', output: 'total', dtype: 'float32', shape: [4], sizeBytes: 16 };
const PORT = port(0, 1);
const bytes = (value: number) => new Uint8Array(INFO.sizeBytes).fill(value);
const ZEROS = bytes(0);

function tensorIn(heap: FakeHeap) {
  const tensor = new StateTensor(INFO);
  return { tensor, storage: tensor.inHeap(heap.runner) };
}

/** A tensor whose values a run has left on WebNN: bytes of 7. */
async function tensorOn(context: FakeContext) {
  const [tensor, webnn] = [new StateTensor(INFO), backendOn(context)];
  const storage = await tensor.onWebnn(webnn, PORT);
  storage.write(bytes(7));
  storage.flip(); // it is in the back now, where runs write
  tensor.written(storage);
  return { tensor, webnn, storage };
}

/** Loses a context, and waits until everybody knows. */
async function lose(context: FakeContext): Promise<void> {
  context.lose('the driver was reset');
  await context.lost;
}

describe('memory in the heap', () => {
  // Kernels of TFLite read up to 64 bytes behind a tensor.
  it.each([1, 16, 64, 65])('of %i bytes is aligned twice, and may be read beyond', (sizeBytes) => {
    const heap = new FakeHeap();
    const { front, back } = new HeapStorage(heap.runner, sizeBytes);
    const blocks = [...heap.blocks] as [number, number][];
    for (const [position, address] of [front, back].entries()) {
      const [start, blockBytes] = blocks[position] as [number, number];
      expect(address % 64).toBe(0);
      expect(address).toBeGreaterThanOrEqual(start);
      expect(start + blockBytes).toBeGreaterThanOrEqual(address + sizeBytes + 64);
      expect(blockBytes).toBeLessThan(sizeBytes + 3 * 64);
    }
  });

  it('is one block until a run writes the other one', () => {
    const heap = new FakeHeap();
    const storage = new HeapStorage(heap.runner, INFO.sizeBytes);
    storage.write(bytes(1));
    expect(heap.blocks.size).toBe(1);
    storage.flip();
    expect(heap.blocks.size).toBe(2);
    storage.release();
    expect(heap.blocks.size).toBe(0);
  });

  it('is read in front, and written in both buffers', () => {
    const storage = new HeapStorage(new FakeHeap().runner, INFO.sizeBytes);
    storage.write(bytes(1));
    storage.writeBack(bytes(2));
    expect(storage.read()).toEqual(bytes(1));
    storage.flip();
    expect(storage.read()).toEqual(bytes(2));
    storage.flip();
    expect(storage.read()).toEqual(bytes(1));
  });

  it('is not lost, and is freed', async () => {
    const heap = new FakeHeap();
    const storage = new HeapStorage(heap.runner, INFO.sizeBytes);
    expect([storage.lossText, await storage.wasLost()]).toEqual([null, false]);
    storage.release();
    expect(heap.blocks.size).toBe(0);
  });
});

it('has no memory for zeros of any size', async () => {
  const tensor = new StateTensor({ ...INFO, sizeBytes: 2 ** 53 });
  await expect(tensor.read()).rejects.toThrow('JavaScript has no 9007199254740992 bytes for total. Dispose of');
});

describe('values in the heap', () => {
  it.each(['bringTo', 'bringNow'] as const)('are zeros at first: %s', async (bring) => {
    const { tensor, storage } = tensorIn(new FakeHeap());
    await tensor[bring](storage);
    expect(storage.read()).toEqual(ZEROS);
    expect(await tensor.read()).toEqual(ZEROS);
  });

  it.each(['bringTo', 'bringNow'] as const)('are brought where they are not yet: %s', async (bring) => {
    const [one, other] = [new FakeHeap(), new FakeHeap()];
    const { tensor, storage } = tensorIn(one);
    storage.writeBack(bytes(3));
    tensor.written(storage);
    const elsewhere = tensor.inHeap(other.runner);
    await tensor[bring](elsewhere);
    expect(elsewhere.read()).toEqual(bytes(3));
    const writing = vi.spyOn(elsewhere, 'write');
    await tensor[bring](elsewhere);
    await tensor[bring](storage);
    expect(writing).not.toHaveBeenCalled();
    expect(storage.read()).toEqual(bytes(3));
  });

  it('have one storage in a runner', () => {
    const heap = new FakeHeap();
    const { tensor, storage } = tensorIn(heap);
    expect(tensor.inHeap(heap.runner)).toBe(storage);
    expect(heap.blocks.size).toBe(1);
    tensor.release();
    expect(heap.blocks.size).toBe(0);
  });

  it('are copied when they are read', async () => {
    const { tensor, storage } = tensorIn(new FakeHeap());
    storage.writeBack(bytes(3));
    tensor.written(storage);
    const read = await tensor.read();
    storage.write(bytes(4));
    expect(read).toEqual(bytes(3));
  });

  it('are those of the last run only', async () => {
    const [one, other] = [new FakeHeap(), new FakeHeap()];
    const { tensor, storage } = tensorIn(one);
    const elsewhere = tensor.inHeap(other.runner);
    await tensor.bringTo(elsewhere);
    storage.writeBack(bytes(5));
    tensor.written(storage);
    await tensor.bringTo(elsewhere);
    expect(elsewhere.read()).toEqual(bytes(5));
  });

  it('are replaced by what is written, or by zeros', async () => {
    const { tensor, storage } = tensorIn(new FakeHeap());
    for (const values of [bytes(6), null]) {
      tensor.write(values);
      await tensor.bringTo(storage);
      expect(storage.read()).toEqual(values ?? ZEROS);
    }
  });
});

describe('values on WebNN', () => {
  it('have one storage in a context', async () => {
    const context = new FakeContext();
    const { tensor, webnn, storage } = await tensorOn(context);
    expect(await tensor.onWebnn(webnn, PORT)).toBe(storage);
    expect(leftOn(context)).toHaveLength(2);
    tensor.release();
    expect(leftOn(context)).toEqual([]);
  });

  it('are brought to wasm, but not immediately', async () => {
    const { tensor } = await tensorOn(new FakeContext());
    const storage = tensor.inHeap(new FakeHeap().runner);
    expect(() => tensor.bringNow(storage)).toThrow(new TypeError('the values of total are on WebNN'));
    await tensor.bringTo(storage);
    expect(storage.read()).toEqual(bytes(7));
  });

  it('are brought from wasm', async () => {
    const { tensor, storage } = tensorIn(new FakeHeap());
    storage.writeBack(bytes(5));
    tensor.written(storage);
    const onWebnn = await tensor.onWebnn(backendOn(new FakeContext()), PORT);
    await tensor.bringTo(onWebnn);
    expect(await onWebnn.read()).toEqual(bytes(5));
  });

  it('stay when another storage is created', async () => {
    const context = new FakeContext();
    const { tensor } = await tensorOn(context);
    tensor.inHeap(new FakeHeap().runner);
    expect(leftOn(context)).toHaveLength(2);
    expect(await tensor.read()).toEqual(bytes(7));
  });

  it('that cannot be read are an error of WebNN', async () => {
    const context = new FakeContext();
    const { tensor, storage } = await tensorOn(context);
    const cause = new Error('no');
    vi.spyOn(context, 'readTensor').mockRejectedValueOnce(cause);
    const failure = await tensor.read().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WebnnRunError);
    expect(failure).toMatchObject({
      message: "WebNN failed while reading the state's tensor total: Error: no",
      cause,
    });
    expect([storage.lossText, await storage.wasLost()]).toEqual([null, false]);
  });
});

it('loses its values when another model crashes the wasm instance that has them', async () => {
  const [heap, other] = [new FakeHeap(), new FakeHeap()];
  const tensor = new StateTensor(INFO);
  const storage = tensor.inHeap(heap.runner);
  await tensor.bringTo(storage);
  tensor.written(storage);
  heap.isOrphaned = true;
  await expect(tensor.read()).rejects.toThrow(
    /^Another model crashed the WebAssembly instance, and with it the values of total/,
  );
  expect(() => tensor.bringNow(tensor.inHeap(other.runner))).toThrow(StateLostError);
});

describe('values on a context that is lost', () => {
  it('are gone, with a hint', async () => {
    const context = new FakeContext();
    const { tensor, storage } = await tensorOn(context);
    await lose(context);
    expect([storage.lossText, await storage.wasLost()]).toEqual([expect.stringContaining('WebNN context'), true]);
    const failure = await tensor.read().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StateLostError);
    expect(failure).toMatchObject({ details: { tensor: 'total' } });
    expect(() => tensor.bringNow(tensor.inHeap(new FakeHeap().runner))).toThrow(StateLostError);
  });

  it('are gone, with the cause if a read has failed', async () => {
    const context = new FakeContext();
    const { tensor } = await tensorOn(context);
    const cause = new Error('no');
    vi.spyOn(context, 'readTensor').mockImplementationOnce(() => {
      context.lose('the driver was reset');
      return Promise.reject(cause);
    });
    await expect(tensor.read()).rejects.toMatchObject({ name: 'StateLostError', cause });
  });

  it.each(['a heap', 'a context'])('have no storage any more once there is another, in %s', async (owner) => {
    const context = new FakeContext();
    const { tensor } = await tensorOn(context);
    await lose(context);
    if (owner === 'a heap') tensor.inHeap(new FakeHeap().runner);
    else await tensor.onWebnn(backendOn(new FakeContext()), PORT);
    expect(leftOn(context)).toEqual([]);
    tensor.release(); // nothing twice
    expect(context.calls.filter((call) => call.startsWith('destroy'))).toHaveLength(2);
  });

  it('are not gone where wasm has them, too', async () => {
    const context = new FakeContext();
    const { tensor } = await tensorOn(context);
    await tensor.bringTo(tensor.inHeap(new FakeHeap().runner));
    await lose(context);
    expect(await tensor.read()).toEqual(bytes(7));
  });
});
