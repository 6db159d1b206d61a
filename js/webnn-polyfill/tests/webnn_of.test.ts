import { describe, expect, it } from 'vitest';
import { webnnOf } from '../src/index.js';
import { FakeEngine } from './fakes/engine.js';

describe('webnnOf', () => {
  it('gives WebNN on an object of its own, and installs nothing', async () => {
    const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
    const scope = webnnOf(new FakeEngine());
    expect(scope.navigator?.ml?.polyfill).toMatchObject({ engine: new FakeEngine().name });
    expect(scope.MLGraphBuilder).toBeTypeOf('function');
    expect(await scope.navigator?.ml?.createContext()).toBeInstanceOf(scope.MLContext as new () => object);
    expect(Object.getOwnPropertyDescriptor(globalThis, 'navigator')).toEqual(before);
    expect(globalThis).not.toHaveProperty('MLGraphBuilder');
  });

  it('knows its engines by name', () => {
    expect(() => webnnOf('abacus' as 'tflite')).toThrow(/There is no engine 'abacus'/);
  });
});
