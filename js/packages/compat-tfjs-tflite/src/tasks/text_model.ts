/** The model of a task on text: its tensors by their names in metadata, one run, and the classes of an output. */

import type { TextTokenizer } from '@tflite-webnn/tasks/text/tokenizer';
import { sourceOfEntry } from '@tflite-webnn/tasks/text/tokenizer_files';
import { sentencePieceTokenizer } from '@tflite-webnn/tasks/text/tokenizers/sentence_piece';
import { bertTokenizer, regexTokenizer } from '@tflite-webnn/tasks/text/tokenizers/vocabularies';
import type { TensorInfo } from 'tflite-webnn';
import type { ModelMetadata, TensorMetadata } from 'tflite-webnn/metadata';
import type { RetryingModel } from '../retrying_model.js';
import { metadataOf, realValues } from './task_model.js';
import { TaskError } from './task_options.js';

type TokenizerEntry = NonNullable<ModelMetadata['inputProcessing']['tokenizer']>;

/** A model of text. */
export class TextModel {
  readonly #model: RetryingModel;
  readonly metadata: ModelMetadata | null;

  /** @param file - The model's bytes. */
  constructor(model: RetryingModel, file: Uint8Array) {
    this.#model = model;
    this.metadata = metadataOf(file);
  }

  /** The model's inputs, as it declares them. */
  get inputs(): readonly TensorInfo[] {
    return this.#model.runner.description.inputs;
  }

  /** The model's outputs, as it declares them. */
  get outputs(): readonly TensorInfo[] {
    return this.#model.runner.description.outputs;
  }

  /** Runs the model; the inputs are in its order. */
  run(inputs: readonly Uint8Array[]): void {
    const { runner } = this.#model;
    inputs.forEach((bytes, position) => {
      runner.write((this.inputs[position] as TensorInfo).index, bytes);
    });
    this.#model.invoke();
  }

  /** An output's values after a run, as real numbers. */
  values({ index, ...info }: TensorInfo): Float32Array {
    return realValues({ index, ...info }, this.#model.runner.tensorBytes(index));
  }

  /** An output's bytes after a run. */
  bytes({ index }: TensorInfo): Uint8Array {
    return this.#model.runner.tensorBytes(index).slice();
  }

  /** An output's shape after a run. */
  shape({ index }: TensorInfo): readonly number[] {
    return this.#model.runner.tensorShape(index);
  }

  /** Frees the model. */
  delete(): void {
    this.#model.delete();
  }

  /** @throws TaskError, TokenizerError */
  tokenizer(entry: TokenizerEntry): TextTokenizer {
    checkEntry(entry);
    const source = sourceOfEntry(entry, this.metadata?.files ?? []);
    if (source.kind === 'sentencePiece') return sentencePieceTokenizer(source);
    return source.kind === 'regex' ? checkedRegex(regexTokenizer(source)) : bertTokenizer(source as never);
  }
}

function checkEntry({ kind, vocabularies, models, delimiter }: TokenizerEntry): void {
  if (kind === 'sentencePiece' ? models.length === 0 : vocabularies.length === 0) {
    throw new TaskError('tokenizer', 'Invalid vocab_file from input process unit.');
  }
  if (kind === 'regex' && delimiter === null)
    throw new TaskError('tokenizer', 'Invalid delim_regex_pattern from input process unit.');
}

function checkedRegex(tokenizer: TextTokenizer): TextTokenizer {
  for (const token of ['<UNKNOWN>', '<PAD>']) {
    if (tokenizer.idOf(token) === undefined)
      throw new TaskError('tokenizer', `RegexTokenizer doesn't have ${token} token.`);
  }
  return tokenizer;
}

/** As embind shows the C++ struct. */
export interface CppCategory {
  readonly className: string;
  readonly score: number;
}

/** All classes, in the model's order; those without names are called by their index. */
export function categoriesOf(model: TextModel, scores: TensorInfo, names: readonly string[] | null): CppCategory[] {
  const shape = model.shape(scores);
  const count = (shape.length === 2 ? shape[1] : shape[0]) ?? 0;
  const values = model.values(scores);
  return Array.from({ length: count }, (_, index) => {
    return { className: names === null ? String(index) : (names[index] ?? ''), score: values[index] as number };
  });
}

/** Names from metadata: its first file counts, if it has labels. */
export function namesOf(tensor: TensorMetadata | null | undefined): readonly string[] | null {
  const first = tensor?.associatedFiles[0];
  if (first?.type !== 'TENSOR_AXIS_LABELS') return null;
  return tensor?.labels.find(({ file }) => file === first.name)?.names ?? null;
}
