/** How similar texts are: each becomes a vector. */

import { type Result, realValues } from '@tflite-webnn/media/results';
import { unitVector } from '@tflite-webnn/media/results/unchecked';
import {
  checkText,
  described,
  type OpenModel,
  type OwnSchema,
  openTask,
  openTextTokenizer,
  Task,
  type TaskCallOptions,
  type TaskModel,
  TaskModelError,
  type TextTaskOptions,
} from '@tflite-webnn/tasks';
import type { TextTokenizer } from '@tflite-webnn/tasks/text';
import { type Model, type ModelSource, OptionError, type TypedArray } from 'tflite-webnn';
import { FLAG, integer, listOf, oneOf, TEXT } from 'tflite-webnn/option_schema';
import { endsOf, idsOf, ofText, tooLong, valuesFor } from './tokens.js';

/** How an embedder cuts text and pools the model's output. */
export interface TextEmbedderOptions extends Omit<TextTaskOptions, 'labels' | 'locale'> {
  /** How the vectors of tokens become one of the text, where the model returns one of each. Default: `mean`. */
  readonly pooling?: 'mean' | 'first' | 'last';
  /** Divide the vector by its length. Default: true. */
  readonly l2Normalize?: boolean;
  /** Name of the output. Default: the first whose shape is [1, width], a vector of the text; else the first. */
  readonly output?: string;
  /** Lowercase A to Z: `vocab.txt` does not say whether the model expects that. Default: false. */
  readonly lowercase?: boolean;
  /** Pieces before each text. Default: `[CLS]`, `<s>` or `<bos>`, if the vocabulary has it and its counterpart. */
  readonly before?: readonly string[];
  /** Pieces after each text. Default: `[SEP]`, `</s>` or `<eos>`, if the vocabulary has it. */
  readonly after?: readonly string[];
  /** Tokens that a model of any length is prepared for. Default: 128. */
  readonly length?: number;
}

type Role = 'ids' | 'mask' | 'types' | 'positions';

/** A tensor by its names: those of the metadata, of signatures, its own. */
interface Named {
  readonly names: readonly string[];
}

/** What a model that accepts tokens needs. */
interface TokenModel {
  readonly tokenizer: TextTokenizer;
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly roles: readonly Role[];
  readonly length: number;
}

// Functions, so that bundles with one of the two tasks leave out the other.
const known = (): OwnSchema<TextEmbedderOptions> => ({
  ...ofText(),
  pooling: oneOf(['mean', 'first', 'last']),
  l2Normalize: FLAG,
  output: TEXT,
  lowercase: FLAG,
  before: listOf(TEXT),
  after: listOf(TEXT),
  length: integer(1, 2 ** 16),
});
const ROLES: readonly (readonly [RegExp, Role])[] = [
  [/mask/i, 'mask'],
  [/type|segment/i, 'types'],
  [/position/i, 'positions'],
  [/ids|token/i, 'ids'],
];
/** Of models without names, as BERT has them. */
const ORDER: readonly Role[] = ['ids', 'mask', 'types'];
const DEFAULT_LENGTH = 128;

/** Computes embeddings of texts: those of similar texts have similar directions, see `cosineSimilarity()`. */
export class TextEmbedder extends Task<TextEmbedderOptions> {
  /** Null for a model that accepts the text itself. */
  readonly #tokens: TokenModel | null;
  /** Position of the output. */
  readonly #output: number;

  private constructor(opened: OpenModel, options: TextEmbedderOptions, tokens: TokenModel | null) {
    super(opened, options);
    this.#tokens = tokens;
    this.#output = outputOf(opened.model, namesOf(opened, 'outputs'), options.output);
  }

  /**
   * Creates an embedder. The model accepts ids of tokens, perhaps with a mask, token types and positions (`input_ids`,
   * `attention_mask`, `token_type_ids`, `position_ids`, int64 or int32), or one string.
   *
   * @param model - The model file, as `loadTFLiteModel()` accepts it, or a loaded model of a page or worker.
   * @param options - Tokenizer, if none is packed into the file; how vectors are pooled.
   * @throws TaskModelError where the model has other inputs; OptionError; TokenizerError; what loadTFLiteModel()
   *   throws.
   *
   * @example
   * const embedder = await TextEmbedder.create('minilm.tflite', { tokenizer });
   * const [one, other] = [await embedder.embed('A cat sleeps.'), await embedder.embed('The cat is asleep.')];
   * console.log(cosineSimilarity(one, other));
   */
  static create(model: ModelSource | TaskModel, options: TextEmbedderOptions = {}): Promise<TextEmbedder> {
    return openTask(model, options, known(), async (opened) => {
      const [input, ...others] = opened.model.inputs;
      const isText = input?.dtype === 'string' && others.length === 0;
      return new TextEmbedder(opened, options, isText ? null : await tokenModel(opened, options));
    });
  }

  /**
   * Computes the vector of a text.
   *
   * @param text - The text.
   * @param options - A signal.
   * @returns A new array.
   * @throws InputError where the text is empty, or longer than the model accepts; what run() throws.
   */
  embed(text: string, options: TaskCallOptions = {}): Promise<Float32Array> {
    return this.inTurn(options, async () => {
      await checkText(text, 'text');
      const { inputs } = this.model;
      const ids = this.#tokens && this.#idsOf(text, this.#tokens);
      const rows = inputs.map(({ dtype, shape }, position) => {
        return ids === null ? { data: [text], shape } : { data: this.#values(ids, position, dtype), shape };
      });
      const results = await this.model.run(rows, options);
      const vector = pooled(results[this.#output] as Result, ids?.length ?? 1, this.options.pooling ?? 'mean');
      return this.options.l2Normalize === false ? vector : Float32Array.from(unitVector(vector));
    });
  }

  #idsOf(text: string, { tokenizer, before, after, length }: TokenModel): number[] {
    const { lowercase = false, truncate = false } = this.options;
    const written = lowercase ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
    const ids = idsOf(tokenizer, tokenizer.tokenize(written));
    const maxLength = length - before.length - after.length;
    if (ids.length > maxLength && !truncate) {
      throw tooLong('text', ids.length, maxLength, 'cut it, or set the option truncate to leave out what does not fit');
    }
    return [...before, ...ids.slice(0, maxLength), ...after];
  }

  #values(ids: readonly number[], position: number, dtype: string): TypedArray {
    const { roles, length } = this.#tokens as TokenModel;
    const of: Readonly<Record<Role, readonly number[]>> = {
      ids,
      mask: ids.map(() => 1),
      types: [],
      positions: Array.from({ length }, (_, at) => at),
    };
    return valuesFor(dtype, of[roles[position] as Role], length);
  }
}

/** @throws TaskModelError, TokenizerError */
async function tokenModel(opened: OpenModel, options: TextEmbedderOptions): Promise<TokenModel> {
  await prepareLength(opened.model, options.length ?? DEFAULT_LENGTH);
  const { inputs } = opened.model;
  const lengths = new Set(inputs.map(({ dtype, shape }) => (isOfTokens(dtype, shape) ? (shape[1] as number) : 0)));
  const [length = 0] = lengths;
  const roles = rolesOf(namesOf(opened, 'inputs'));
  if (roles === null || lengths.size !== 1 || length === 0) {
    throw new TaskModelError(
      `The model has the inputs ${described(inputs)}: a text embedder has input_ids, and perhaps attention_mask, ` +
        'token_type_ids and position_ids, all int32 or int64 and [1, length]; or one string.',
    );
  }
  const tokenizer = await openTextTokenizer(opened, options, []);
  const ends = endsOf(tokenizer);
  const before = idsOf(tokenizer, options.before ?? ends[0]);
  const after = idsOf(tokenizer, options.after ?? ends[1]);
  if (before.length + after.length >= length) {
    throw new TaskModelError(`The model accepts ${length} tokens: pass less before and after the text.`);
  }
  return { tokenizer, before, after, roles, length };
}

/** Masks may be floats. */
function isOfTokens(dtype: string, shape: readonly number[]): boolean {
  return /^(int32|int64|float32)$/.test(dtype) && shape.length === 2 && shape[0] === 1;
}

async function prepareLength(model: TaskModel & Partial<Pick<Model, 'resizeInputs'>>, length: number): Promise<void> {
  if (!model.inputs.some(({ shapeSignature }) => shapeSignature.at(-1) === -1)) return;
  await model.resizeInputs?.(model.inputs.map(() => [1, length]));
}

/** The names of a model's inputs or outputs, the best first. */
function namesOf({ model, metadata }: OpenModel, direction: 'inputs' | 'outputs'): readonly Named[] {
  const { signatures = [] } = model as Partial<Pick<Model, 'signatures'>>;
  return model[direction].map(({ index, name }, position) => {
    const ofSignatures = signatures
      .filter(({ subgraph }) => subgraph === 0)
      .flatMap((signature) => signature[direction].filter(({ tensor }) => tensor === index).map((entry) => entry.name));
    return { names: [metadata?.[direction][position]?.name ?? '', ...ofSignatures, name] };
  });
}

/** What each input accepts; null where that is not known. */
function rolesOf(inputs: readonly Named[]): readonly Role[] | null {
  const byName = inputs.map(({ names }) => {
    return names.map((name) => ROLES.find(([pattern]) => pattern.test(name))?.[1]).find((role) => role !== undefined);
  });
  if (byName.includes('ids') && new Set(byName).size === inputs.length && !byName.includes(undefined)) {
    return byName as Role[];
  }
  const isNameless = byName.every((role) => role === undefined) && inputs.length <= ORDER.length;
  return isNameless ? ORDER.slice(0, inputs.length) : null;
}

/** @throws OptionError */
function outputOf({ outputs }: TaskModel, named: readonly Named[], output: string | undefined): number {
  if (output === undefined) {
    const ofText = outputs.findIndex(({ shape }) => shape.length === 2 && shape[0] === 1);
    return Math.max(0, ofText);
  }
  const found = named.findIndex(({ names }) => names.includes(output));
  if (found >= 0) return found;
  const known = named.map(({ names }) => names.find((name) => name !== '')).join(', ');
  throw new OptionError(`There is no output "${output}": the model has ${known}.`, { details: { option: 'output' } });
}

/** One vector of the first `count` rows of [1, length, width]; the only one of [1, width]. */
function pooled(result: Result, count: number, pooling: 'mean' | 'first' | 'last'): Float32Array {
  const width = result.shape.at(-1) as number;
  const values = realValues(result);
  const rows = Math.min(values.length / width, count);
  const [first, end] = pooling === 'mean' ? [0, rows] : pooling === 'first' ? [0, 1] : [rows - 1, rows];
  const vector = new Float32Array(width);
  for (let at = first * width; at < end * width; at++) {
    vector[at % width] = (vector[at % width] as number) + (values[at] as number) / (end - first);
  }
  return vector;
}
