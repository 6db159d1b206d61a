import { type TaskMetadata, type TaskModel, TaskModelError } from '@tflite-webnn/tasks';
import {
  cosineSimilarity,
  type GenerationOptions,
  TextEmbedder,
  TextGenerator,
  type TextGeneratorOptions,
} from '@tflite-webnn/tasks/language';
import { openTokenizer, type TextTokenizer, TokenizerError } from '@tflite-webnn/tasks/text';
import type { ShapedValues, SignatureInfo, TensorInfo } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import { CONTEXT, languageModel, tensor } from './fake_model.js';

const LENGTH = 6;
const VOCABULARY = ['<unk>', '<s>', '</s>', '\u2581a', '\u2581b', 'c', '<0xC3>', '<0xA9>', '.'];
const [A, B, C, C3, A9, DOT, EOS] = [3, 4, 5, 6, 7, 8, 2];
/** Its pieces are words. */
const TOKENIZER: TextTokenizer = {
  tokenize: (text) => text.split(' ').flatMap((word) => (word === '' ? [] : `\u2581${word}`)),
  idOf: (piece) => (VOCABULARY.includes(piece) ? VOCABULARY.indexOf(piece) : undefined),
  unknownId: 0,
  pieceOf: (id) => (id === EOS ? '' : VOCABULARY[id]),
};

/** A model whose output is a vector of each token, or one of all; it keeps its inputs. */
function embeddingModel(inputs: readonly TensorInfo[], outputs: readonly (readonly [TensorInfo, number[]])[]) {
  const seen: unknown[][] = [];
  const model: TaskModel & { seen: unknown[][]; signatures?: readonly SignatureInfo[] } = {
    inputs,
    outputs: outputs.map(([info]) => info),
    seen,
    async run(provided) {
      seen.push((provided as ShapedValues[]).map(({ data }) => Array.from(data as Int32Array)));
      return outputs.map(([{ name, shape }, data]) => ({ name, shape, data }));
    },
    dispose() {},
  };
  return model;
}

const of = (name: string, dtype: 'int32' | 'int64' | 'float32' = 'int32') => tensor(name, dtype, [1, LENGTH]);
const tokens = () => [tensor('tokens', 'float32', [1, LENGTH, 2]), [1, 0, 3, 4, 5, 8, 0, 0, 9, 9, 9, 9]] as const;

describe('TextEmbedder', () => {
  it.each([
    ['mean', [3, 4]],
    ['first', [1, 0]],
    ['last', [5, 8]],
  ] as const)('pools the vectors of tokens: %s', async (pooling, expected) => {
    const [info, values] = tokens();
    const model = embeddingModel([of('input_ids')], [[info, [...values]]]);
    const options = { tokenizer: TOKENIZER, pooling, l2Normalize: false, before: [] };
    const embedder = await TextEmbedder.create(model, options);
    expect(await embedder.embed('a b')).toEqual(Float32Array.from(expected));
    const normalized = await (await TextEmbedder.create(model, { ...options, l2Normalize: true })).embed('a b');
    expect(Math.hypot(...normalized)).toBeCloseTo(1, 6);
  });

  it("fills inputs by name, in the model's order and types", async () => {
    const names = ['serving_default_attention_mask:0', 'token_type_ids', 'input_ids', 'position_ids'];
    const inputs = names.map((name, index) => of(name, index === 0 ? 'float32' : index === 1 ? 'int32' : 'int64'));
    const [info, values] = tokens();
    const model = embeddingModel(inputs, [[info, [...values]]]);
    await (await TextEmbedder.create(model, { tokenizer: TOKENIZER })).embed('a b');
    const ids = [1, A, B, EOS, 0, 0].map(BigInt);
    expect(model.seen).toEqual([[[1, 1, 1, 1, 0, 0], [0, 0, 0, 0, 0, 0], ids, [0n, 1n, 2n, 3n, 4n, 5n]]]);
  });

  it('accepts names of signatures and of metadata, and no names at all', async () => {
    const [info, values] = tokens();
    const unnamed = () => [0, 1].map((index) => ({ ...of(`args_${index}`), index }));
    const indexed = (names: readonly string[]) => names.map((name, index) => ({ name, tensor: index }));
    const signature = {
      key: 'serving_default',
      subgraph: 0,
      inputs: indexed(['attention_mask', 'input_ids']),
      outputs: [],
    };
    const metadata: TaskMetadata = { inputs: [{ name: 'mask' }, { name: 'ids' }], outputs: [] };
    const models = [{ signatures: [signature] }, { metadata }, {}].map((more) => {
      return Object.assign(embeddingModel(unnamed(), [[info, [...values]]]), more);
    });
    for (const model of models) await (await TextEmbedder.create(model, { tokenizer: TOKENIZER })).embed('a');
    const [ids, mask] = [
      [1, A, EOS, 0, 0, 0],
      [1, 1, 1, 0, 0, 0],
    ];
    expect(models.map(({ seen }) => seen[0])).toEqual([
      [mask, ids],
      [mask, ids],
      [ids, mask],
    ]);
  });

  it('prefers a vector of the text, and uses the output that the option names', async () => {
    const [info, values] = tokens();
    const pooledOutput = tensor('sentence', 'float32', [1, 2]);
    const model = embeddingModel(
      [of('input_ids')],
      [
        [info, [...values]],
        [pooledOutput, [3, 4]],
      ],
    );
    const vectorBy = async (output?: string) => {
      const options = { tokenizer: TOKENIZER, l2Normalize: false, pooling: 'first' as const };
      return (await TextEmbedder.create(model, { ...options, ...(output && { output }) })).embed('a');
    };
    expect(await vectorBy()).toEqual(Float32Array.of(3, 4));
    expect(await vectorBy('tokens')).toEqual(Float32Array.of(1, 0));
    await expect(vectorBy('other')).rejects.toThrow('There is no output "other": the model has tokens, sentence.');
  });

  it('passes the text itself to a model of strings', async () => {
    const model = embeddingModel([tensor('text', 'string', [1])], [[tensor('out', 'float32', [1, 2]), [0, 2]]]);
    expect(await (await TextEmbedder.create(model)).embed('a b')).toEqual(Float32Array.of(0, 1));
    expect(model.seen).toEqual([[['a b']]]);
  });

  it('prepares a model of any length', async () => {
    const [info, values] = tokens();
    const open = { ...of('input_ids'), shape: [1, 1], shapeSignature: [1, -1] };
    const model = embeddingModel([open], [[info, [...values]]]);
    const resized: unknown[] = [];
    const resizeInputs = async (shapes: number[][]) => {
      resized.push(shapes);
      Object.assign(open, { shape: shapes[0] });
    };
    await TextEmbedder.create(Object.assign(model, { resizeInputs }), { tokenizer: TOKENIZER, length: 8 });
    expect(resized).toEqual([[[1, 8]]]);
  });

  it('rejects empty and long texts, cuts them by option, lowers letters', async () => {
    const [info, values] = tokens();
    const model = embeddingModel([of('input_ids')], [[info, [...values]]]);
    const embedder = await TextEmbedder.create(model, { tokenizer: TOKENIZER });
    await expect(embedder.embed(' ')).rejects.toThrow(expect.objectContaining({ code: 'TEXT_EMPTY' }));
    await expect(embedder.embed('a '.repeat(5))).rejects.toThrow(
      expect.objectContaining({ code: 'TEXT_TOO_LONG', details: { tokens: 5, most: 4 } }),
    );
    const cut = await TextEmbedder.create(model, { tokenizer: TOKENIZER, truncate: true, lowercase: true });
    await cut.embed('A '.repeat(5));
    expect(model.seen).toEqual([[[1, A, A, A, A, EOS]]]);
    await cut.dispose();
    await expect(cut.embed('a')).rejects.toThrow(expect.objectContaining({ name: 'ModelDisposedError' }));
  });

  it.each([
    ['images', [tensor('image', 'float32', [1, 2, 2, 3])]],
    ['unknown names next to known ones', [of('input_ids'), of('salt')]],
    ['two lengths', [of('input_ids'), tensor('attention_mask', 'int32', [1, 4])]],
    ['a mask alone', [of('attention_mask')]],
  ])('rejects a model with %s', async (_, inputs) => {
    const [info, values] = tokens();
    const model = embeddingModel(inputs, [[info, [...values]]]);
    await expect(TextEmbedder.create(model, { tokenizer: TOKENIZER })).rejects.toThrow(TaskModelError);
  });

  it('rejects pieces around the text that leave it no space', async () => {
    const [info, values] = tokens();
    const model = embeddingModel([of('input_ids')], [[info, [...values]]]);
    const options = { tokenizer: TOKENIZER, before: Array(LENGTH).fill('<s>') };
    await expect(TextEmbedder.create(model, options)).rejects.toThrow(
      'The model accepts 6 tokens: pass less before and after the text.',
    );
  });

  it('rejects unknown options', async () => {
    const [info, values] = tokens();
    const options = { tokenizer: TOKENIZER, polling: 'mean' } as object;
    await expect(
      TextEmbedder.create(embeddingModel([of('input_ids')], [[info, [...values]]]), options),
    ).rejects.toThrow('there is no option "polling": did you mean pooling?');
  });
});

it('cosineSimilarity() rejects vectors of different lengths or without a direction', () => {
  expect(cosineSimilarity([1, 0], Float32Array.of(2, 0))).toBe(1);
  expect(cosineSimilarity([1, 0], [0, 3])).toBe(0);
  expect(() => cosineSimilarity([1], [1, 2])).toThrow('The embeddings have 1 and 2 numbers');
  expect(() => cosineSimilarity([0], [1])).toThrow('it has no direction');
});

async function generator(script: readonly number[], options: TextGeneratorOptions = {}, kind = {}) {
  const fake = languageModel(script, kind);
  return { ...fake, generator: await TextGenerator.create(fake.model, { tokenizer: TOKENIZER, ...options }) };
}

async function pieces(from: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const piece of from) found.push(piece);
  return found;
}

describe('TextGenerator', () => {
  it('reads the prompt, writes pieces of complete characters, and stops at the end of the text', async () => {
    const { generator: writer, steps } = await generator([B, C, C3, A9, EOS, A]);
    expect(await pieces(writer.generate('a b'))).toEqual([' b', 'c', '\u00e9']);
    expect(steps.slice(0, 2)).toEqual([
      { key: 'prefill_4', tokens: [1, A, 0, 0], positions: [0, 1, 2, 3] }, // two are overwritten
      { key: 'decode', tokens: [B], positions: [2] },
    ]);
    expect(writer.usage).toMatchObject({ promptTokens: 3, generatedTokens: 5, finish: 'eos' });
    expect(writer.contextLength).toBe(CONTEXT);
  });

  it.each([
    [1, []],
    [2, ['prefill_2']],
    [3, ['prefill_4']],
    [6, ['prefill_4', 'prefill_2']],
    [8, ['prefill_4', 'prefill_4']],
    [16, ['prefill_4', 'prefill_4', 'prefill_4', 'prefill_4']],
  ])('reads %i tokens in the longest steps that are half full at least', async (count, expected) => {
    const { generator: writer, steps } = await generator([EOS], { before: [] });
    await pieces(writer.generate('a '.repeat(count)));
    expect(steps.slice(0, -1).map(({ key }) => key)).toEqual(expected);
    expect(steps.at(-1)?.positions).toEqual([count - 1]);
  });

  it('fills a causal mask, and int64', async () => {
    const { generator: writer, steps } = await generator([EOS], { before: [] }, { mask: true, dtype: 'int64' });
    await pieces(writer.generate('a a a'));
    const row = (seen: number) => Array.from({ length: CONTEXT }, (_, at) => (at < seen ? 0 : Math.fround(-1e9)));
    expect(steps.map(({ mask }) => mask)).toEqual([[1, 2, 3, 4].flatMap(row), row(3)]);
  });

  it('ends before a stop text, whatever pieces it is in', async () => {
    const { generator: writer } = await generator([A, C, C, DOT, C]);
    expect((await pieces(writer.generate('b', { stop: 'c.' }))).join('')).toBe(' ac');
    expect(writer.usage.finish).toBe('stop');
    const full = await generator([A, C, EOS]);
    expect((await pieces(full.generator.generate('b', { stop: ['c.', 'zz'] }))).join('')).toBe(' ac');
  });

  it('ends after maxTokens, and when the cache is full', async () => {
    const { generator: writer } = await generator(Array(40).fill(C));
    expect(await pieces(writer.generate('a', { maxTokens: 2 }))).toEqual(['c', 'c']);
    expect(writer.usage.finish).toBe('length');
    expect(await pieces(writer.generate('a', { maxTokens: 0 }))).toEqual([]);
    expect(await pieces(writer.generate('a'))).toHaveLength(CONTEXT - 1);
    const longText = 'a '.repeat(CONTEXT + 1);
    await expect(pieces(writer.generate(longText))).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'TEXT_TOO_LONG' }),
    );
  });

  it('begins a new text, or continues with append', async () => {
    const { generator: writer, steps, events } = await generator([B, C, A, C]);
    await pieces(writer.generate('a', { maxTokens: 2 }));
    await pieces(writer.generate('b', { maxTokens: 1, append: true }));
    expect(steps.slice(-3).map(({ tokens, positions }) => [tokens, positions])).toEqual([
      [[B], [2]],
      [
        [C, 0],
        [3, 4],
      ],
      [[B], [4]],
    ]);
    expect(events).toEqual(['reset']);
    await pieces(writer.generate('a', { maxTokens: 1 }));
    expect(events).toEqual(['reset', 'reset']);
    expect(steps.at(-1)?.positions).toEqual([1]);
  });

  it('goes on after a prompt to which nothing was written, and after one that was rejected', async () => {
    const { generator: writer, steps } = await generator([B, C]);
    await pieces(writer.generate('a', { maxTokens: 0 }));
    await pieces(writer.generate('b', { maxTokens: 1, append: true }));
    expect(steps.map(({ tokens, positions }) => [tokens[0], positions[0]])).toEqual([
      [1, 0],
      [A, 1],
      [B, 2],
    ]);
    const tooMuch = writer.generate('a '.repeat(CONTEXT), { append: true });
    await expect(pieces(tooMuch)).rejects.toThrow(expect.objectContaining({ code: 'TEXT_TOO_LONG' }));
    await pieces(writer.generate('', { maxTokens: 1, append: true }));
    expect(steps.at(-1)).toMatchObject({ tokens: [B], positions: [3] });
  });

  it('drops the last token where a prompt after it was read in part', async () => {
    const { generator: writer, steps } = await generator([B], { before: [] });
    await pieces(writer.generate('a', { maxTokens: 1 }));
    const ending = new AbortController();
    const push = steps.push.bind(steps);
    steps.push = (...more) => {
      ending.abort();
      return push(...more);
    };
    const ended = writer.generate('a '.repeat(6), { append: true, signal: ending.signal });
    await expect(ended.next()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    await pieces(writer.generate('b', { maxTokens: 1, append: true }));
    expect(steps.at(-1)).toMatchObject({ tokens: [B], positions: [5] });
  });

  it('finds the begin of a stop text whose letters have two code units', async () => {
    const vocabulary = ['<unk>', '\u{1F600}', '!', 'x', '\u{1F600}!'];
    const tokenizer: TextTokenizer = {
      ...TOKENIZER,
      idOf: (piece) => (vocabulary.includes(piece) ? vocabulary.indexOf(piece) : undefined),
      pieceOf: (id) => vocabulary[id],
    };
    const { generator: writer } = await generator([3, 1, 2, 3], { tokenizer, before: [], eos: [] });
    expect((await pieces(writer.generate('x', { stop: '\u{1F600}!x' }))).join('')).toBe('x');
  });

  it('keeps a byte order mark at the start of a text', async () => {
    const vocabulary = ['<unk>', '\ufeff', 'x'];
    const tokenizer: TextTokenizer = { ...TOKENIZER, idOf: () => undefined, pieceOf: (id) => vocabulary[id] };
    const { generator: writer } = await generator([1, 2], { tokenizer, before: [], eos: [] });
    expect(await pieces(writer.generate('x', { maxTokens: 2 }))).toEqual(['\ufeff', 'x']);
  });

  it('calls a tokenizer as an object', async () => {
    class Words implements TextTokenizer {
      readonly #words = VOCABULARY;
      readonly unknownId = 0;
      tokenize(text: string) {
        return TOKENIZER.tokenize(text);
      }
      idOf(piece: string) {
        return this.#words.includes(piece) ? this.#words.indexOf(piece) : undefined;
      }
      pieceOf(id: number) {
        return this.#words[id];
      }
    }
    const { generator: writer } = await generator([B, EOS], { tokenizer: new Words() });
    expect(await pieces(writer.generate('a'))).toEqual([' b']);
    const [info, values] = tokens();
    const model = embeddingModel([of('input_ids')], [[info, [...values]]]);
    await (await TextEmbedder.create(model, { tokenizer: new Words() })).embed('a');
    expect(model.seen).toEqual([[[1, A, EOS, 0, 0, 0]]]);
  });

  it('accepts the rows of a cache for its size, not the size of a head, and requires contextLength otherwise', async () => {
    const wide = languageModel([EOS], { cache: [1, CONTEXT, 2, 256] });
    expect((await TextGenerator.create(wide.model, { tokenizer: TOKENIZER })).contextLength).toBe(CONTEXT);
    const { model, events } = languageModel([EOS], { cache: [1, 4, 256, 8] });
    await expect(TextGenerator.create(model, { tokenizer: TOKENIZER })).rejects.toThrow(
      'The cache is [1,4,256,8], and there is no mask: set contextLength.',
    );
    expect(events).toEqual(['state disposed']);
    const configured = await TextGenerator.create(model, { tokenizer: TOKENIZER, contextLength: 256 });
    expect(configured.contextLength).toBe(256);
  });

  it('chooses by temperature, topK, topP and seed', async () => {
    const textBy = async (options: GenerationOptions) => {
      const { generator: writer } = await generator(Array(CONTEXT).fill(C), { eos: [] });
      return (await pieces(writer.generate('a', { maxTokens: 12, ...options }))).join('');
    };
    const certain = 'c'.repeat(12);
    expect(await textBy({})).toBe(certain);
    expect(await textBy({ temperature: 1, topK: 1 })).toBe(certain);
    expect(await textBy({ temperature: 1, topP: 0.1 })).toBe(certain);
    expect(await textBy({ temperature: 1, topK: 2, seed: 1 })).toMatch(/^[c.]*\.[c.]*$/);
    const random = await textBy({ temperature: 5, seed: 7 });
    expect(random).not.toBe(certain);
    expect(await textBy({ temperature: 5, seed: 7 })).toBe(random);
    expect(await textBy({ temperature: 5, seed: 8 })).not.toBe(random);
  });

  it('ends by a signal, by a later call, and by dispose()', async () => {
    const { generator: writer, events } = await generator(Array(40).fill(C));
    const ending = new AbortController();
    const first = writer.generate('a', { signal: ending.signal });
    expect((await first.next()).value).toBe('c');
    ending.abort();
    await expect(first.next()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    const second = writer.generate('a');
    await second.next();
    const third = writer.generate('a');
    await third.next();
    await expect(second.next()).rejects.toThrow(expect.objectContaining({ name: 'StateError' }));
    expect((await third.next()).value).toBe('c');
    const ended = writer.dispose();
    for (const member of ['model', 'contextLength', 'usage'] as const)
      expect(() => writer[member], member).toThrow(expect.objectContaining({ name: 'ModelDisposedError' }));
    await ended;
    await expect(third.next()).rejects.toThrow(expect.objectContaining({ name: 'ModelDisposedError' }));
    expect(events.at(-1)).toBe('state disposed'); // the model is the caller's
  });

  it.each([
    [{ maxTokens: -1 }, 'maxTokens'],
    [{ temperature: Number.NaN }, 'temperature'],
    [{ topK: 0 }, 'topK'],
    [{ topP: 2 }, 'topP'],
    [{ seed: 1.5 }, 'seed'],
    [{ stop: [''] }, 'stop'],
    [{ k: 1 }, 'k'],
  ])('rejects the option %o', async (options, option) => {
    const { generator: writer } = await generator([EOS]);
    await expect(writer.generate('a', options as object).next()).rejects.toThrow(
      expect.objectContaining({ name: 'OptionError', details: expect.objectContaining({ option }) }),
    );
  });

  it('rejects other models, tokenizers that cannot write, and prompts without tokens', async () => {
    const other = { ...languageModel([]).model, signatures: [] };
    await expect(TextGenerator.create(other, { tokenizer: TOKENIZER })).rejects.toThrow(
      'The model has no signatures: a text generator has the signature decode',
    );
    const { pieceOf: _, ...reader } = TOKENIZER;
    const { model, events } = languageModel([]);
    await expect(TextGenerator.create(model, { tokenizer: reader })).rejects.toThrow(TokenizerError);
    expect(events).toEqual(['state disposed']);
    const { generator: writer } = await generator([EOS], { before: [] });
    await expect(writer.generate(' ').next()).rejects.toThrow(expect.objectContaining({ code: 'TEXT_EMPTY' }));
  });

  it('writes bytes of byte-level vocabularies', async () => {
    const json = JSON.stringify({
      version: '1.0',
      added_tokens: [{ id: 4, content: '<end>', special: true }],
      normalizer: null,
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
      post_processor: null,
      decoder: { type: 'ByteLevel' },
      model: { type: 'BPE', vocab: { a: 0, '\u0120': 1, '\u00c3': 2, '\u00a9': 3 }, merges: [] },
    });
    const tokenizer = await openTokenizer({ kind: 'tokenizer.json', json });
    const { generator: writer } = await generator([1, 2, 3, 4, 0], { tokenizer, eos: [] });
    expect(await pieces(writer.generate('a', { maxTokens: 5 }))).toEqual([' ', '\u00e9', 'a']);
  });
});
