/** The values of one tensor by itself: where they are, and when they move. */

import { describe, expect, it, vi } from 'vitest';
import { StateLostError, WebnnRunError } from '../src/errors.js';
import { HeapStorage, StateTensor, type StateTensorInfo } from '../src/model/state_tensor.js';
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
  return { tensor, home: tensor.inHeap(heap.runner) };
}

/** A tensor whose values a run has left on WebNN: bytes of 7. */
async function tensorOn(context: FakeContext) {
  const [tensor, webnn] = [new StateTensor(INFO), backendOn(context)];
  const home = await tensor.onWebnn(webnn, PORT);
  home.write(bytes(7));
  home.flip(); // it is in the back now, where runs write
  tensor.written(home);
  return { tensor, webnn, home };
}

/** Takes a context away, and lets all hear of it. */
async function lose(context: FakeContext): Promise<void> {
  context.lose('the driver was reset');
  await context.lost;
}

describe('memory in the heap', () => {
  // Kernels of TFLite read up to 64 bytes behind a tensor.
  it.each([1, 16, 64, 65])('of %i bytes is aligned twice, and may be read beyond', (sizeBytes) => {
    const heap = new FakeHeap();
    const { front, back } = new HeapStorage(heap.runner, sizeBytes);
    const [[start, blockBytes]] = [...heap.blocks] as [[number, number]];
    expect([front % 64, back % 64]).toEqual([0, 0]);
    expect(front).toBeGreaterThanOrEqual(start);
    expect(back).toBeGreaterThanOrEqual(front + sizeBytes + 64);
    expect(start + blockBytes).toBeGreaterThanOrEqual(back + sizeBytes + 64);
    expect(blockBytes).toBeLessThan(2 * sizeBytes + 6 * 64);
  });

  it('is read in front, and written in both buffers', () => {
    const home = new HeapStorage(new FakeHeap().runner, INFO.sizeBytes);
    home.write(bytes(1));
    home.writeBack(bytes(2));
    expect(home.read()).toEqual(bytes(1));
    home.flip();
    expect(home.read()).toEqual(bytes(2));
    home.flip();
    expect(home.read()).toEqual(bytes(1));
  });

  it('is not lost, and is freed', async () => {
    const heap = new FakeHeap();
    const home = new HeapStorage(heap.runner, INFO.sizeBytes);
    expect([home.lossText, await home.wasLost()]).toEqual([null, false]);
    home.release();
    expect(heap.blocks.size).toBe(0);
  });
});

it('has no memory for zeros of any size', async () => {
  const tensor = new StateTensor({ ...INFO, sizeBytes: 2 ** 53 });
  await expect(tensor.read()).rejects.toThrow('JavaScript has no 9007199254740992 bytes for total. Dispose of');
});

describe('values in the heap', () => {
  it.each(['bringTo', 'bringNow'] as const)('are zeros at first: %s', async (bring) => {
    const { tensor, home } = tensorIn(new FakeHeap());
    await tensor[bring](home);
    expect(home.read()).toEqual(ZEROS);
    expect(await tensor.read()).toEqual(ZEROS);
  });

  it.each(['bringTo', 'bringNow'] as const)('are brought where they are not yet: %s', async (bring) => {
    const [one, other] = [new FakeHeap(), new FakeHeap()];
    const { tensor, home } = tensorIn(one);
    home.writeBack(bytes(3));
    tensor.written(home);
    const elsewhere = tensor.inHeap(other.runner);
    await tensor[bring](elsewhere);
    expect(elsewhere.read()).toEqual(bytes(3));
    const writing = vi.spyOn(elsewhere, 'write');
    await tensor[bring](elsewhere);
    await tensor[bring](home);
    expect(writing).not.toHaveBeenCalled();
    expect(home.read()).toEqual(bytes(3));
  });

  it('have one home in a runner', () => {
    const heap = new FakeHeap();
    const { tensor, home } = tensorIn(heap);
    expect(tensor.inHeap(heap.runner)).toBe(home);
    expect(heap.blocks.size).toBe(1);
    tensor.release();
    expect(heap.blocks.size).toBe(0);
  });

  it('are copied when they are read', async () => {
    const { tensor, home } = tensorIn(new FakeHeap());
    home.writeBack(bytes(3));
    tensor.written(home);
    const read = await tensor.read();
    home.write(bytes(4));
    expect(read).toEqual(bytes(3));
  });

  it('are those of the last run only', async () => {
    const [one, other] = [new FakeHeap(), new FakeHeap()];
    const { tensor, home } = tensorIn(one);
    const elsewhere = tensor.inHeap(other.runner);
    await tensor.bringTo(elsewhere);
    home.writeBack(bytes(5));
    tensor.written(home);
    await tensor.bringTo(elsewhere);
    expect(elsewhere.read()).toEqual(bytes(5));
  });

  it('are replaced by what is written, or by zeros', async () => {
    const { tensor, home } = tensorIn(new FakeHeap());
    for (const values of [bytes(6), null]) {
      tensor.write(values);
      await tensor.bringTo(home);
      expect(home.read()).toEqual(values ?? ZEROS);
    }
  });
});

describe('values on WebNN', () => {
  it('have one home in a context', async () => {
    const context = new FakeContext();
    const { tensor, webnn, home } = await tensorOn(context);
    expect(await tensor.onWebnn(webnn, PORT)).toBe(home);
    expect(leftOn(context)).toHaveLength(2);
    tensor.release();
    expect(leftOn(context)).toEqual([]);
  });

  it('are brought to wasm, but not immediately', async () => {
    const { tensor } = await tensorOn(new FakeContext());
    const home = tensor.inHeap(new FakeHeap().runner);
    expect(() => tensor.bringNow(home)).toThrow(new TypeError('the values of total are on WebNN'));
    await tensor.bringTo(home);
    expect(home.read()).toEqual(bytes(7));
  });

  it('are brought from wasm', async () => {
    const { tensor, home } = tensorIn(new FakeHeap());
    home.writeBack(bytes(5));
    tensor.written(home);
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
    const { tensor, home } = await tensorOn(context);
    const cause = new Error('no');
    vi.spyOn(context, 'readTensor').mockRejectedValueOnce(cause);
    const failure = await tensor.read().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(WebnnRunError);
    expect(failure).toMatchObject({
      message: "WebNN failed while reading the state's tensor total: Error: no",
      cause,
    });
    expect([home.lossText, await home.wasLost()]).toEqual([null, false]);
  });
});

it('loses its values when another model crashes the wasm instance that has them', async () => {
  const [heap, other] = [new FakeHeap(), new FakeHeap()];
  const tensor = new StateTensor(INFO);
  const home = tensor.inHeap(heap.runner);
  await tensor.bringTo(home);
  tensor.written(home);
  heap.isOrphaned = true;
  await expect(tensor.read()).rejects.toThrow(
    /^Another model crashed the WebAssembly instance, and with it the values of total/,
  );
  expect(() => tensor.bringNow(tensor.inHeap(other.runner))).toThrow(StateLostError);
});

describe('values on a context that is lost', () => {
  it('are gone, with a hint', async () => {
    const context = new FakeContext();
    const { tensor, home } = await tensorOn(context);
    await lose(context);
    expect([home.lossText, await home.wasLost()]).toEqual([expect.stringContaining('WebNN context'), true]);
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

  it.each(['a heap', 'a context'])('have no home any more once there is another, in %s', async (owner) => {
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
