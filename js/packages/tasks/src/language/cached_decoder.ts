/** A language model with a resident cache: signatures for prompts and for one token share a state. */

import { type Result, realValues } from '@tflite-webnn/media/results';
import { TaskModelError } from '@tflite-webnn/tasks';
import type { Model, ModelState, SignatureInfo, TypedArray } from 'tflite-webnn';
import { tooLong, valuesFor } from './tokens.js';

/** A loaded model with signatures, in the page or in a worker. */
export type LanguageModel = Pick<
  Model,
  'inputs' | 'outputs' | 'signatures' | 'metadata' | 'run' | 'runSignature' | 'createState' | 'dispose'
>;

/** A signature that reads several tokens. */
interface Prefill {
  readonly key: string;
  readonly count: number;
}

const [TOKENS, POSITIONS, MASK, LOGITS] = ['tokens', 'input_pos', 'mask', 'logits'] as const;
const UNSEEN = -1e9;

/** Reads and writes tokens by the signatures of models that litert-torch exports. */
export class CachedDecoder {
  readonly #model: LanguageModel;
  readonly #state: ModelState;
  /** The longest first. */
  readonly #prefills: readonly Prefill[];
  readonly #dtype: string;
  readonly #maskDtype: string | null;
  /** Tokens that the cache holds. */
  readonly contextLength: number;
  #position = 0;

  /** @throws TaskModelError where the model is another one; what createState() throws. */
  static async of(model: LanguageModel, contextLength: number | undefined): Promise<CachedDecoder> {
    const decode = decodeOf(model);
    const state = await model.createState();
    try {
      return new CachedDecoder(model, decode, state, contextLength);
    } catch (error) {
      await state.dispose();
      throw error;
    }
  }

  private constructor(model: LanguageModel, decode: SignatureInfo, state: ModelState, contextLength?: number) {
    this.#model = model;
    this.#state = state;
    const infos = new Map(model.inputs.map((info) => [info.index, info]));
    this.#prefills = model.signatures
      .filter(({ key }) => key.startsWith('prefill'))
      .map(({ key, subgraph, inputs }) => {
        const tensor = inputs.find(({ name }) => name === TOKENS)?.tensor ?? -1;
        const ownCount = subgraph === 0 ? infos.get(tensor)?.shape.at(-1) : undefined;
        return { key, count: ownCount ?? Number(/\d+$/.exec(key)?.[0]) };
      })
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count);
    const mask = model.inputs.find(({ name }) => name.includes(MASK));
    this.#maskDtype = decode.inputs.some(({ name }) => name === MASK) ? (mask?.dtype ?? 'float32') : null;
    this.#dtype = model.inputs.find(({ name }) => name.includes(TOKENS))?.dtype ?? 'int32';
    this.contextLength = contextLength ?? mask?.shape.at(-1) ?? rowsOf(state);
  }

  /** Number of tokens that still fit into the cache. */
  get space(): number {
    return this.contextLength - this.#position;
  }

  /** Begins another text. */
  async reset(): Promise<void> {
    this.#position = 0;
    await this.#state.reset();
  }

  /**
   * Reads tokens.
   *
   * @throws InputError where they do not fit into the cache; the signal's reason.
   */
  async read(tokens: readonly number[], signal: AbortSignal | undefined): Promise<void> {
    if (tokens.length >= this.space) {
      throw tooLong('prompt', tokens.length + 1, this.space, 'shorten it, or export the model with a longer cache');
    }
    for (let at = 0; at < tokens.length; ) {
      signal?.throwIfAborted();
      const left = tokens.length - at;
      // What a longer step writes beyond the prompt is overwritten before it is seen, but it must lie in the cache.
      const step = this.#prefills.find(({ count }) => count <= this.space && count <= 2 * left);
      const part = tokens.slice(at, at + (step?.count ?? 1));
      await this.#run(step?.key ?? 'decode', part, step?.count ?? 1);
      at += part.length;
    }
  }

  /** Reads a token; returns the logits of the next one. */
  async next(token: number): Promise<ArrayLike<number>> {
    const { [LOGITS]: logits } = await this.#run('decode', [token], 1);
    return realValues(logits as Result);
  }

  /** Frees the cache. */
  async dispose(): Promise<void> {
    await this.#state.dispose();
  }

  async #run(key: string, tokens: readonly number[], count: number): Promise<Record<string, Result>> {
    const positions = Array.from({ length: count }, (_, index) => this.#position + index);
    const inputs: Record<string, TypedArray> = {
      [TOKENS]: valuesFor(this.#dtype, tokens, count),
      [POSITIONS]: Int32Array.from(positions),
    };
    if (this.#maskDtype !== null) inputs[MASK] = causalMask(positions, this.contextLength, this.#maskDtype);
    const results = await this.#model.runSignature(key, inputs, { state: this.#state });
    this.#position += tokens.length;
    return results;
  }
}

/** @throws TaskModelError */
function decodeOf({ signatures }: LanguageModel): SignatureInfo {
  const decode = signatures?.find(({ key }) => key === 'decode');
  const names = new Set(decode?.inputs.map(({ name }) => name));
  if (decode && names.has(TOKENS) && names.has(POSITIONS)) return decode;
  const found = signatures?.map(({ key, inputs }) => `${key}(${inputs.map(({ name }) => name).join(', ')})`).join(', ');
  throw new TaskModelError(
    `The model has ${found ? `the signatures ${found}` : 'no signatures'}: a text generator has the signature decode with the inputs ` +
      `${TOKENS}, ${POSITIONS} and a cache, and perhaps prefill_<tokens>, as litert-torch exports them.`,
  );
}

/**
 * Tokens that a cache holds, as litert-torch exports it: [batch, rows, heads, size].
 *
 * @throws TaskModelError where rows and heads may be in the other order.
 */
function rowsOf({ tensors }: ModelState): number {
  const shape = tensors[0]?.shape ?? [];
  const [, rows = 0, heads = rows] = shape;
  if (rows > heads) return rows;
  throw new TaskModelError(`The cache is [${shape}], and there is no mask: set contextLength.`);
}

/** Each position sees itself and those before it. */
function causalMask(positions: readonly number[], length: number, dtype: string): TypedArray {
  const isBool = dtype === 'bool';
  const mask = new (isBool ? Uint8Array : Float32Array)(positions.length * length).fill(isBool ? 0 : UNSEEN);
  positions.forEach((position, row) => {
    mask.fill(isBool ? 1 : 0, row * length, row * length + position + 1);
  });
  return mask;
}
