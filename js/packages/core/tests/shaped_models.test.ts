/** How many shapes a model stays prepared for. */

import { loadTFLiteModel } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import { describeOnModule, WASM } from '../../../built_module.js';
import type { RecoveringModel } from '../src/model/recovering_model.js';
import { ShapedModels } from '../src/model/shapes.js';
import { SIN_MODEL, writeModel } from './fakes/tiny_model.js';

/** A model that is prepared for a shape; `live` has those that are not released, each with its weights. */
function modelOf(shape: readonly number[], live: Set<string>, prepared: string[]): RecoveringModel {
  const key = String(shape);
  live.add(key);
  prepared.push(key);
  return {
    prepared: { description: { inputs: [{ shape }] } },
    reshaped: async ([next]: [readonly number[]]) => modelOf(next, live, prepared),
    release: () => live.delete(key),
  } as unknown as RecoveringModel;
}

describe('prepared shapes', () => {
  it.each([
    [undefined, ['4', '5']],
    [0, ['5']],
    [3, ['2', '3', '4', '5']],
  ])('are limited by maxKeptShapes: %s', async (limit, kept) => {
    const [live, prepared] = [new Set<string>(), [] as string[]];
    const models = new ShapedModels(modelOf([1], live, prepared), limit);
    for (const size of [2, 3, 4, 5]) await models.select([[size]]);
    expect([...live].sort()).toEqual(kept);
    for (const size of [...kept].reverse()) await models.select([[Number(size)]]);
    expect(prepared).toEqual(['1', '2', '3', '4', '5']);
    models.release();
    expect(live.size).toBe(0);
  });
});

describeOnModule('a model with one prepared shape', () => {
  it('runs in each shape that it is resized to, also in the first one again', async () => {
    const model = await loadTFLiteModel(writeModel(SIN_MODEL), { ...WASM, device: 'cpu', maxKeptShapes: 0 });
    for (const rows of [1, 3, 2, 1]) {
      await model.resizeInputs([rows, 4]);
      const [y] = await model.run(new Float32Array(rows * 4).fill(1));
      expect(y.shape).toEqual([rows, 4]);
      for (const value of y.data) expect(value).toBeCloseTo(Math.sin(1) + 1 + Math.sin(2), 5);
    }
    model.dispose();
  });

  it('rejects values that waited for their run while it was resized', async () => {
    const model = await loadTFLiteModel(writeModel(SIN_MODEL), { ...WASM, device: 'cpu' });
    const resized = model.resizeInputs([3, 4]);
    await expect(model.run(new Float32Array(4))).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_SHAPE' }),
    );
    await resized;
    expect((await model.run(new Float32Array(12)))[0].shape).toEqual([3, 4]);
    model.dispose();
  });
});
