import { CpuModel, createTFLite, type TFLiteCpuOptions } from '@tflite-webnn/cpu';
import { ModelDisposedError, OptionError } from 'tflite-webnn/errors';
import { expected, FakeWasm, ON_CPU, sinRunner } from 'tflite-webnn/fakes';
import { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';
import { describe, expect, it } from 'vitest';

const X = [0, 1, 2, -3];

/** A module of one exported function by the name that vitest.config.ts defines, or another one. */
function wasmWith(name: string): Uint8Array<ArrayBuffer> {
  const types = [1, 4, 1, 0x60, 0, 0];
  const functions = [3, 2, 1, 0];
  const exported = [7, 5, 1, 1, name.charCodeAt(0), 0, 0];
  const code = [10, 4, 1, 2, 0, 0x0b];
  return new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...types, ...functions, ...exported, ...code]);
}

function load(): { model: CpuModel; wasm: FakeWasm } {
  const wasm = new FakeWasm(sinRunner(ON_CPU));
  return { model: CpuModel.of(new WasmRunner(wasm.instantiateNow(), new Uint8Array(8), {})), wasm };
}

describe('a model on the CPU', () => {
  it('has its results when the call returns', () => {
    const { model } = load();
    const close = expected(X).map((value) => expect.closeTo(value, 5));
    expect(Array.from(model.predict(Float32Array.from(X)) as Float32Array)).toEqual(close);
    const [y] = model.run(Float32Array.from(X));
    expect(y).toMatchObject({ name: 'f', dtype: 'float32', shape: [4] });
    expect(Array.from(y?.data as Float32Array)).toEqual(close);
  });

  it("accepts names, a signature's too, and the caller's array", () => {
    const { model } = load();
    expect(model.signatures[0]?.key).toBe('serving_default');
    const data = new Float32Array(4);
    const { f } = model.run({ angle: Float32Array.from(X) }, { outputs: { f: data } });
    expect(f?.data).toBe(data);
  });

  it('names what does not fit', () => {
    expect(() => load().model.predict(new Float32Array(3))).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'INPUT_SHAPE' }),
    );
  });

  it('resets its state', () => {
    const { model, wasm } = load();
    model.resetState();
    expect(wasm.calls).toContain('reset state');
  });

  it('is gone after dispose()', () => {
    const { model } = load();
    model.dispose();
    model[Symbol.dispose]();
    expect(() => model.predict(new Float32Array(4))).toThrow(ModelDisposedError);
    expect(() => model.inputs).toThrow(ModelDisposedError);
  });
});

describe('createTFLite', () => {
  it('accepts bytes and modules', () => {
    expect(() => createTFLite({ module: wasmWith('m') })).not.toThrow();
    expect(() => createTFLite({ module: new WebAssembly.Module(wasmWith('m')) })).not.toThrow();
  });

  it.each([
    [{ modul: 1 }, 'there is no option "modul": did you mean module?'],
    [{ module: 'tflite_webnn.wasm' }, 'a WebAssembly.Module or its bytes; got "tflite_webnn.wasm"'],
    [{}, 'the option "module" is a WebAssembly.Module or its bytes'],
  ])('checks its options: %j', (options, message) => {
    expect(() => createTFLite(options as TFLiteCpuOptions)).toThrow(message);
    expect(() => createTFLite(options as TFLiteCpuOptions)).toThrow(OptionError);
  });

  it('rejects other modules and bytes', () => {
    expect(() => createTFLite({ module: wasmWith('x') })).toThrow(/another wasm module: use simd/);
    expect(() => createTFLite({ module: new Uint8Array(3) })).toThrow(/rejects the bytes of the module: /);
    expect(() => createTFLite({ module: new Uint8Array(3) })).toThrow(
      expect.objectContaining({ name: 'WasmLoadError', code: 'WASM_LOAD_FAILED' }),
    );
  });

  it('checks the options of a model, and what is passed as one', () => {
    const tflite = createTFLite({ module: wasmWith('m') });
    const bytes = new Uint8Array(8);
    expect(() => tflite.loadModel(bytes, { inputShape: [[1]] } as object)).toThrow('did you mean inputShapes?');
    expect(() => tflite.loadModel(bytes, { numThreads: 2 } as object)).toThrow(
      'it is one of enableXnnpackDelegate, inputShapes',
    );
    for (const wrong of ['model.tflite', new Float32Array(8), new DataView(new ArrayBuffer(8))]) {
      expect(() => tflite.loadModel(wrong as unknown as Uint8Array)).toThrow('a model is provided as its bytes');
    }
  });
});
