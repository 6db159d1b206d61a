import { describe, expect, it } from 'vitest';
import { GraphStorage, LocalTensor } from '../../src/tflite/engine/local_tensor.js';

/** A graph's memory. */
function storageOf(memory: Uint8Array): GraphStorage {
  return new GraphStorage(() => memory);
}

describe('LocalTensor', () => {
  it('is zeros before anything is written', async () => {
    expect(await new LocalTensor(3).read()).toEqual(new Uint8Array(3));
  });

  it('hands out what lies in the memory of a graph, and a copy to who reads', async () => {
    const memory = Uint8Array.of(1, 2);
    const tensor = new LocalTensor(2);
    tensor.adopt(storageOf(memory));
    const read = await tensor.read();
    memory.fill(9);
    expect(read).toEqual(Uint8Array.of(1, 2));
    expect(tensor.bytes).toBe(memory);
  });

  it('keeps its content when the graph needs the memory for another tensor', () => {
    const memory = Uint8Array.of(1, 2);
    const storage = storageOf(memory);
    const [first, second] = [new LocalTensor(2), new LocalTensor(2)];
    first.adopt(storage);
    storage.vacate(second);
    memory.fill(9);
    second.adopt(storage);
    expect([first.bytes, second.bytes]).toEqual([Uint8Array.of(1, 2), Uint8Array.of(9, 9)]);
  });

  it('is not copied where it gets the next result itself', () => {
    const memory = Uint8Array.of(1, 2);
    const storage = storageOf(memory);
    const tensor = new LocalTensor(2);
    tensor.adopt(storage);
    storage.vacate(tensor);
    expect(tensor.bytes).toBe(memory);
  });

  it('is written to where a graph reads it, and read from there, without a copy', async () => {
    const memory = new Uint8Array(2);
    const tensor = new LocalTensor(2);
    tensor.write(Uint8Array.of(1, 2));
    tensor.enter(storageOf(memory));
    expect(memory).toEqual(Uint8Array.of(1, 2));
    tensor.write(Uint8Array.of(3, 4));
    expect(memory).toEqual(Uint8Array.of(3, 4));
    const target = new Uint8Array(2);
    expect(await tensor.read(target)).toBe(target);
    expect(target).toEqual(memory);
  });

  it('keeps what it had when another one is dispatched in the same storage', () => {
    const storage = storageOf(new Uint8Array(2));
    const [first, second] = [new LocalTensor(2), new LocalTensor(2)];
    for (const iteration of [1, 2, 3]) {
      for (const [number, tensor] of [first, second].entries()) {
        tensor.write(Uint8Array.of(iteration, number));
        tensor.enter(storage);
        expect(storage.bytes).toEqual(Uint8Array.of(iteration, number));
      }
      expect([first.bytes, second.bytes]).toEqual([Uint8Array.of(iteration, 0), Uint8Array.of(iteration, 1)]);
    }
  });

  it('goes from the result of one graph to the input of the next', () => {
    const [result, input] = [storageOf(Uint8Array.of(1, 2)), storageOf(new Uint8Array(2))];
    const tensor = new LocalTensor(2);
    tensor.adopt(result);
    tensor.enter(input);
    expect([result.holder, input.holder, input.bytes]).toEqual([null, tensor, Uint8Array.of(1, 2)]);
  });

  it('does not copy its content when it is about to get another one', () => {
    const [input, result] = [storageOf(new Uint8Array(2)), storageOf(new Uint8Array(2))];
    const tensor = new LocalTensor(2);
    tensor.enter(input);
    tensor.expect(result);
    expect(input.holder).toBeNull();
    tensor.adopt(result);
    tensor.expect(result);
    expect(result.holder).toBe(tensor);
  });

  it('leaves the memory when it is destroyed', () => {
    const storage = storageOf(new Uint8Array(2));
    const tensor = new LocalTensor(2);
    tensor.adopt(storage);
    tensor.destroy();
    expect(storage.holder).toBeNull();
  });
});

describe('LocalTensor.swap()', () => {
  it('keeps the array, and returns the one that it had', () => {
    const tensor = new LocalTensor(2);
    const [first, second] = [Uint8Array.of(1, 2), Uint8Array.of(3, 4)];
    expect(tensor.swap(first)).toBeNull();
    expect(tensor.swap(second)).toBe(first);
    expect(tensor.bytes).toBe(second);
  });

  it('returns the array where the content lies in the memory of a graph', () => {
    const memory = new Uint8Array(2);
    const tensor = new LocalTensor(2);
    tensor.enter(storageOf(memory));
    const content = Uint8Array.of(1, 2);
    expect(tensor.swap(content)).toBe(content);
    expect(memory).toEqual(content);
  });
});
