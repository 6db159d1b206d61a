import { describe, expect, it } from 'vitest';
import { LocalTensor, ResultPlace } from '../../src/tflite/engine/local_tensor.js';

/** A graph's memory. */
function placeOf(memory: Uint8Array): ResultPlace {
  return new ResultPlace(() => memory);
}

describe('LocalTensor', () => {
  it('is zeros before anything is written', async () => {
    expect(await new LocalTensor(3).read()).toEqual(new Uint8Array(3));
  });

  it('gives what lies in the memory of a graph, and a copy to who reads', async () => {
    const memory = Uint8Array.of(1, 2);
    const tensor = new LocalTensor(2);
    tensor.moveTo(placeOf(memory));
    const read = await tensor.read();
    memory.fill(9);
    expect(read).toEqual(Uint8Array.of(1, 2));
    expect(tensor.bytes).toBe(memory);
  });

  it('keeps its content when the graph needs the memory for another tensor', () => {
    const memory = Uint8Array.of(1, 2);
    const place = placeOf(memory);
    const [first, second] = [new LocalTensor(2), new LocalTensor(2)];
    first.moveTo(place);
    place.vacate(second);
    memory.fill(9);
    second.moveTo(place);
    expect([first.bytes, second.bytes]).toEqual([Uint8Array.of(1, 2), Uint8Array.of(9, 9)]);
  });

  it('is not copied where it gets the next result itself', () => {
    const memory = Uint8Array.of(1, 2);
    const place = placeOf(memory);
    const tensor = new LocalTensor(2);
    tensor.moveTo(place);
    place.vacate(tensor);
    expect(tensor.bytes).toBe(memory);
  });

  it('leaves the memory when it is written to, destroyed, or gets the result of another graph', () => {
    const places = [0, 1, 2].map(() => placeOf(new Uint8Array(2)));
    const [written, destroyed, moved] = places.map((place) => {
      const tensor = new LocalTensor(2);
      tensor.moveTo(place);
      return tensor;
    });
    written?.write(Uint8Array.of(3, 4));
    destroyed?.destroy();
    const next = placeOf(new Uint8Array(2));
    moved?.moveTo(next);
    expect(places.map(({ holder }) => holder)).toEqual([null, null, null]);
    expect(written?.bytes).toEqual(Uint8Array.of(3, 4));
    expect(next.holder).toBe(moved);
  });
});
