/** A fake TFLiteModel: it returns the results that a test sets, and keeps its inputs. */

import type { ShapedValues, TFLiteModel, TFLiteModelOptions } from 'tflite-webnn';

type Tensor = Pick<TFLiteModel['inputs'][number], 'name' | 'dtype' | 'shape' | 'quantization'>;

/** What a fake model is. */
export interface Fake {
  readonly input: Tensor;
  /** How many inputs it has, all like `input`. Default: 1. */
  readonly inputCount?: number;
  readonly outputs: readonly (readonly [Tensor, Float32Array | Uint8Array])[];
  /** What reading it returns or throws. */
  readonly metadata?: object | Error | null;
  readonly executionMode?: 'cpu' | 'direct' | 'blocking';
}

/** A fake, and what was done with it. */
export interface FakeModel extends Fake {
  /** How it was loaded. */
  readonly options: TFLiteModelOptions;
  /** Its inputs, by the calls that ran it. */
  readonly ran: (readonly ['runSync' | 'run', readonly number[]])[];
  disposals: number;
}

export function tensor(name: string, shape: readonly number[], dtype: Tensor['dtype'] = 'float32'): Tensor {
  return { name, dtype, shape, quantization: null };
}

/** A loaded model that is this fake, and the record of it. */
export function fakeModel(fake: Fake, options: TFLiteModelOptions = {}): [TFLiteModel, FakeModel] {
  const record: FakeModel = { ...fake, options, ran: [], disposals: 0 };
  const results = (call: 'runSync' | 'run', [input]: readonly ShapedValues[]) => {
    record.ran.push([call, Array.from(input?.data as Float32Array)]);
    return fake.outputs.map(([{ name, shape, dtype, quantization }, data]) => ({
      name,
      shape,
      dtype,
      quantization,
      data,
    }));
  };
  const model = {
    inputs: new Array(fake.inputCount ?? 1).fill(fake.input),
    outputs: fake.outputs.map(([info]) => info),
    get metadata() {
      return fake.metadata instanceof Error ? Promise.reject(fake.metadata) : Promise.resolve(fake.metadata ?? null);
    },
    executionMode: fake.executionMode ?? 'cpu',
    report: async () => ({ variant: 'relaxed-simd-threads' }),
    context: fake.executionMode === 'direct' ? { name: 'context' } : null,
    runSync: (inputs: readonly ShapedValues[]) => results('runSync', inputs),
    run: async (inputs: readonly ShapedValues[]) => results('run', inputs),
    dispose: () => {
      record.disposals += 1;
    },
  };
  return [model as unknown as TFLiteModel, record];
}
