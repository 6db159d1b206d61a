/** A fake model: it returns the results that a test sets, and keeps its inputs. */

import type { TaskMetadata, TaskModel } from '@tflite-webnn/tasks';
import type { LanguageModel } from '@tflite-webnn/tasks/language';
import type { DType, ModelState, ShapedValues, TensorInfo, TypedArray } from 'tflite-webnn';

export interface FakeModel extends TaskModel {
  /** Copies of the inputs of each run. */
  readonly seen: (readonly number[])[];
  /** How often it was disposed of. */
  disposals: number;
}

export function tensor(
  name: string,
  dtype: DType,
  shape: readonly number[],
  quantization?: [number, number],
): TensorInfo {
  const [scale, zeroPoint] = quantization ?? [1, 0];
  return {
    index: 0,
    name,
    dtype,
    shape,
    shapeSignature: shape,
    sizeBytes: 0,
    quantization: quantization ? { scales: [scale], zeroPoints: [zeroPoint], quantizedDimension: 0 } : null,
  };
}

/** A model with one input, and outputs with fixed values. */
export function fakeModel(
  input: TensorInfo,
  outputs: readonly (readonly [TensorInfo, TypedArray])[],
  metadata?: TaskMetadata | null,
): FakeModel {
  const model: FakeModel = {
    inputs: [input],
    outputs: outputs.map(([info]) => info),
    ...(metadata !== undefined && { metadata }),
    seen: [],
    disposals: 0,
    async run(input: ShapedValues) {
      model.seen.push(Array.from(input.data as Uint8Array));
      return outputs.map(([{ name, shape, quantization }, data]) => ({ name, shape, quantization, data }));
    },
    dispose() {
      model.disposals += 1;
    },
  };
  return model;
}

interface Step {
  readonly key: string;
  readonly tokens: readonly number[];
  readonly positions: readonly number[];
  readonly mask?: readonly number[];
}

/** Tokens that its cache holds. */
export const CONTEXT = 16;
const [TOKENS, END] = [9, 2];

/** A language model that writes the tokens of a script, then 2, whatever it reads; the last token is the next best. */
export function languageModel(
  script: readonly number[],
  { mask = false, dtype = 'int32' as 'int32' | 'int64', cache = [1, CONTEXT, 2, 8] } = {},
) {
  const steps: Step[] = [];
  const events: string[] = [];
  const named = (name: string, tensor: number) => ({ name, tensor });
  const inputs = (count: number) => [
    { ...tensor('decode_tokens', dtype, [1, count]), index: 0 },
    tensor('decode_input_pos', 'int32', [count]),
    ...(mask ? [tensor('decode_mask', 'float32', [1, 1, count, CONTEXT])] : []),
    tensor('kv_cache_k_0', 'float32', cache),
  ];
  const names = ['tokens', 'input_pos', ...(mask ? ['mask'] : []), 'kv_cache_k_0'];
  const signature = (key: string, subgraph: number) => {
    return { key, subgraph, inputs: names.map(named), outputs: ['logits', 'kv_cache_k_0'].map(named) };
  };
  const state = {
    tensors: [{ name: 'kv_cache_k_0', shape: cache, dtype: 'float32' }],
    async reset() {
      events.push('reset');
    },
    async dispose() {
      events.push('state disposed');
    },
  } as unknown as ModelState;
  const model = {
    inputs: inputs(1),
    outputs: [],
    signatures: [signature('decode', 0), signature('prefill_4', 1), signature('prefill_2', 2)],
    metadata: Promise.resolve(null),
    run: async () => [],
    createState: async () => state,
    async runSignature(key: string, provided: Record<string, TypedArray>) {
      const read = (name: string) => Array.from(provided[name] as Int32Array, Number);
      const wide = provided.tokens instanceof BigInt64Array ? 'int64' : 'int32';
      if (wide !== dtype) throw new Error(`tokens are ${wide}`);
      const step = { key, tokens: read('tokens'), positions: read('input_pos') };
      steps.push(provided.mask ? { ...step, mask: read('mask') } : step);
      const next = script[steps.filter((step) => step.key === 'decode').length - 1] ?? END;
      const data = Float32Array.from({ length: TOKENS }, (_, token) =>
        token === next ? 2 : token === TOKENS - 1 ? 1 : 0,
      );
      return { logits: { name: 'logits', shape: [1, 1, TOKENS], data } };
    },
    async dispose() {
      events.push('model disposed');
    },
  };
  return { model: model as unknown as LanguageModel, steps, events };
}
