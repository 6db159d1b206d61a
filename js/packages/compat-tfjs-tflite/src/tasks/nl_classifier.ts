/** The class of a text, by its words: tfjs-tflite's NLClassifier. */

import { wordInputs } from '@tflite-webnn/tasks/text/text_models';
import type { TextTokenizer } from '@tflite-webnn/tasks/text/tokenizer';
import type { TensorInfo } from 'tflite-webnn';
import { bytesOf } from 'tflite-webnn/dtypes';
import { decodeStrings, encodeStrings } from 'tflite-webnn/tensors/string_tensors';
import { TaskError } from './task_options.js';
import { type CppCategory, categoriesOf, namesOf, type TextModel } from './text_model.js';

/** The client's options. An index counts where no tensor has the name; a negative one is none. */
export interface NLClassifierOptions {
  readonly inputTensorIndex: number;
  readonly outputScoreTensorIndex: number;
  readonly outputLabelTensorIndex: number;
  readonly inputTensorName: string;
  readonly outputScoreTensorName: string;
  readonly outputLabelTensorName: string;
}

const SCORE_TYPES = ['uint8', 'int8', 'int16', 'float32', 'float64', 'bool'];
const LABEL_TYPES = ['string', 'int32'];

/** Returns the scores of all classes for a text. */
export class NLClassifier {
  readonly #model: TextModel;
  readonly #tokenizer: TextTokenizer | null;
  readonly #scores: TensorInfo;
  readonly #names: readonly string[] | null;
  readonly #labels: TensorInfo | null;

  /** @throws TaskError where the model does not do. */
  constructor(model: TextModel, options: NLClassifierOptions) {
    this.#model = model;
    const { inputTensorName, inputTensorIndex, outputScoreTensorName, outputScoreTensorIndex } = options;
    const { inputs = [], outputs = [] } = model.metadata ?? {};
    const input = find(model.inputs, inputs, inputTensorName, inputTensorIndex);
    if (input === null) throw missing('input', inputTensorName, inputTensorIndex);
    this.#tokenizer = input.dtype === 'string' ? null : wordTokenizer(model, input);
    const scores = find(model.outputs, outputs, outputScoreTensorName, outputScoreTensorIndex);
    if (scores === null) throw missing('output score', outputScoreTensorName, outputScoreTensorIndex);
    this.#scores = scores;
    if (!SCORE_TYPES.includes(scores.dtype))
      throw wrongType('score', scores, 'one of these types: INT8/UINT8/INT16/FLOAT32/FLOAT64/BOOL');
    this.#names = namesOf(outputs[model.outputs.indexOf(scores)]);
    this.#labels = this.#names === null ? labelTensor(model, options, scores) : null;
  }

  classify(text: string): CppCategory[] {
    const [input] = this.#model.inputs as [TensorInfo];
    this.#model.run([this.#tokenizer === null ? encodeStrings([text]) : this.#ids(text, input, this.#tokenizer)]);
    return categoriesOf(this.#model, this.#scores, this.#names ?? this.#labelsOfRun());
  }

  delete(): void {
    this.#model.delete();
  }

  #ids(text: string, { shape }: TensorInfo, tokenizer: TextTokenizer): Uint8Array {
    const length = (shape.length === 2 ? shape[1] : shape[0]) as number;
    return bytesOf(wordInputs(tokenizer, text, { length, truncate: true }));
  }

  #labelsOfRun(): string[] | null {
    if (this.#labels === null) return null;
    const bytes = this.#model.bytes(this.#labels);
    return this.#labels.dtype === 'string' ? decodeStrings(bytes) : Array.from(new Int32Array(bytes.buffer), String);
  }
}

/** By its name in metadata, else by its own one, else by its position. */
function find(
  tensors: readonly TensorInfo[],
  metadata: readonly { readonly name: string | null }[],
  name: string,
  index: number,
): TensorInfo | null {
  const described = metadata.length === tensors.length ? metadata.findIndex((row) => row.name === name) : -1;
  return tensors[described] ?? tensors.find((tensor) => tensor.name === name) ?? tensors[index] ?? null;
}

function labelTensor(model: TextModel, options: NLClassifierOptions, scores: TensorInfo): TensorInfo | null {
  const { outputLabelTensorName: name, outputLabelTensorIndex: index } = options;
  const labels = find(model.outputs, model.metadata?.outputs ?? [], name, index);
  if (labels === null || LABEL_TYPES.includes(labels.dtype)) return labels;
  throw wrongType('label', scores, 'STRING or INT32');
}

function wordTokenizer(model: TextModel, input: TensorInfo): TextTokenizer {
  if (input.dtype !== 'int32') throw wrongType('input', input, 'INT32 for RegexTokenizer');
  const entry = model.metadata?.inputs[0]?.tokenizer;
  if (!entry) throw new TaskError('tokenizer', 'No metadata or input process unit found.');
  return model.tokenizer(entry);
}

function wrongType(kind: string, { name, dtype }: TensorInfo, requested: string): TaskError {
  const status = kind === 'input' ? 'inputType' : 'outputType';
  return new TaskError(
    status,
    `Type mismatch for ${kind} tensor ${name}. Requested ${requested}, got ${dtype.toUpperCase()}.`,
  );
}

function missing(kind: string, name: string, index: number): TaskError {
  const status = kind === 'input' ? 'inputMissing' : 'outputMissing';
  return new TaskError(status, `No ${kind} tensor found with name ${name} or at index ${index}`);
}
