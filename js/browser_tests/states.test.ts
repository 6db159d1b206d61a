/** States: a language model's cache is resident in MLTensors, or in wasm, between prefill and decode. */

import { loadTFLiteModel, type Model, type TFLiteModel, type TFLiteModelOptions } from 'tflite-webnn';
import { TextGenerator } from 'tflite-webnn/language';
import { TFLiteWorker } from 'tflite-webnn/worker';
import { describe, expect, it } from 'vitest';
import { threeWays, withLoss, wrongUses } from '../../web_tests/pages/states.mjs';
import { addressOf, expectClose, nativeOf, WEBNN } from './fixtures.js';

interface Decoding {
  readonly prompt: number[];
  readonly steps: number;
  /** The logits of each step. */
  readonly logits: number[][];
  /** How many tokens the cache holds. */
  readonly cache: number;
  /** The tokens with which a prompt goes on until the cache is full. */
  readonly continuations: { prompt: number[]; tokens: number[] }[];
}
const native = await nativeOf<Decoding>('decoder');
const { prompt, steps } = native;

const inPage = (options: TFLiteModelOptions): Promise<Model> => loadTFLiteModel(addressOf('decoder'), options);
const inWorker = (options: TFLiteModelOptions): Promise<Model> =>
  new TFLiteWorker().loadTFLiteModel(addressOf('decoder'), options);
const onWebnn = (options: TFLiteModelOptions['webnnDelegateOptions']) => ({
  enableWebnnDelegate: true,
  webnnDelegateOptions: { ignorePartitionCost: true, ...options },
});

function expectLogits(logits: number[][]): void {
  expect(logits.length).toBe(steps);
  for (const [step, values] of logits.entries()) expectClose(values, native.logits[step] ?? [], 1e-5, 1e-5); // measured: 2e-6
}

describe('a state keeps the cache between signatures', () => {
  it.each([
    ['page, WebNN', inPage, WEBNN, 'direct'],
    ['page, CPU', inPage, { device: 'cpu' }, 'cpu'],
    ['page, cache written on the CPU', inPage, onWebnn({ excludedOps: ['DYNAMIC_UPDATE_SLICE'] }), 'stepped'],
    ['page, cache read on the CPU', inPage, onWebnn({ excludedOps: ['BATCH_MATMUL'] }), 'stepped'],
    ['page, polyfill', inPage, onWebnn({ polyfill: 'tflite' }), 'direct'],
    ['worker, WebNN', inWorker, WEBNN, 'direct'],
    ['worker, CPU', inWorker, { device: 'cpu' }, 'cpu'],
    ['worker, blocking', inWorker, onWebnn({ blocking: true }), 'blocking'],
  ] as const)('%s', async (_, load, options, mode) => {
    const found = await threeWays(await load(options), prompt, steps);
    expect(found.modes[0]).toBe(mode);
    const names = found.tensors.map(({ name }: { name: string }) => name).sort();
    expect(names).toEqual(['kv_cache_k_0', 'kv_cache_k_1', 'kv_cache_v_0', 'kv_cache_v_1']);
    expect(found.byHand).toEqual(found.resident);
    expect(found.again).toEqual(found.resident);
    expect(found.distance).toBe(0);
    expectLogits(found.resident);
  });
});

it('a lost context loses the cache', async () => {
  const model = await loadTFLiteModel(addressOf('decoder'), WEBNN);
  const found = await withLoss(model, prompt, steps, ({ context }: TFLiteModel) =>
    (context as NativeContext).destroy(),
  );
  expect(found.name).toBe('StateLostError');
  expect(found.message).toContain('Call reset() on the state');
  expectLogits(found.logits);
});

it.each([
  ['page', inPage],
  ['worker', inWorker],
])('wrong uses of a state in a %s are rejected', async (_, load) => {
  const expected = [
    ['STATE', 'The model has no input kv_cache_z_0.'],
    ['STATE', 'has a name like nothing*.'],
    ['STATE', 'Input tokens is int32[1, 1], output logits is float32[1, 1, 64]'],
    ['STATE', 'The state is not one of this model.'],
    ['MODEL_DISPOSED', 'The state has been disposed.'],
    ['INPUT_NAME', 'unknown inputs: kv_cache_k_0'],
    ['INPUT_SHAPE', 'kv_cache_k_0 is float32[1, 16, 2, 8] (256 elements); got 4 elements.'],
    ['STATE', 'The state has no tensor "tokens".'],
  ] as const;
  const outcomes = await wrongUses(await load({}), await load({}));
  expect(outcomes).toEqual(expected.map(([code, text]) => [code, expect.stringContaining(text)]));
});

it.each(native.continuations)(
  "the text generator writes native LiteRT's tokens after $prompt",
  async ({ prompt, tokens }) => {
    const tokenizer = {
      // pieces are numbers
      tokenize: (text: string) => text.split(' '),
      idOf: (piece: string) => (/^[0-9]+$/.test(piece) ? Number(piece) : undefined),
      pieceOf: (id: number) => `${id} `,
      unknownId: 0,
    };
    const generator = await TextGenerator.create(await inWorker(WEBNN), { tokenizer });
    for (const options of [{ maxTokens: steps }, { maxTokens: steps }, {}]) {
      let text = '';
      for await (const piece of generator.generate(prompt.join(' '), options)) text += piece;
      expect(text.trim().split(' ').map(Number)).toEqual(tokens.slice(0, options.maxTokens));
    }
    expect(generator.contextLength).toBe(native.cache);
    expect(generator.usage?.finish).toBe('length');
  },
);
