/** Tokenizers of files and of models. */

import { checkArguments, type TokenizerMetadata } from 'tflite-webnn';
import { FUNCTION, having, type Kind, listOf, optional, TEXT } from 'tflite-webnn/option_schema';
import { type TextTokenizer, TokenizerError, type TokenizerSource } from './tokenizer.js';
import { type PackedFile, sourceOfEntry } from './tokenizer_files.js';

/** What is read of a model's metadata, as `readModelMetadata()` returns it. */
export interface TextMetadata {
  /** Of each input. */
  readonly inputs: readonly {
    /** How text becomes the input's values. */
    readonly tokenizer?: TokenizerMetadata | null;
  }[];
  /** Of all inputs together: where BERT models have their limit. */
  readonly inputProcessing?: {
    /** How text becomes the values of several inputs. */
    readonly tokenizer?: TokenizerMetadata | null;
  };
  /** All files that are packed into the model file. */
  readonly files?: readonly PackedFile[];
}

const TOKENIZER_JSON = 'tokenizer.json';

const DELIMITER: Kind = ['null or a string', (value) => value == null || typeof value === 'string'];
const ENTRY = having({ kind: TEXT, vocabularies: listOf(TEXT), models: listOf(TEXT), delimiter: DELIMITER });
const NULL: Kind = ['null', (value) => value === null];
const TOKENIZER: Kind = ['null or a tokenizer of metadata', (value) => value == null || ENTRY[1](value)];
const PROCESSING = having({ tokenizer: TOKENIZER });
const METADATA = {
  inputs: listOf(PROCESSING),
  inputProcessing: optional(PROCESSING),
  files: optional(listOf(having({ name: TEXT, bytes: FUNCTION, text: FUNCTION }))),
};

/**
 * Creates a tokenizer. The library that does the work is loaded with the first one.
 *
 * @param source - The tokenizer's files.
 * @throws TokenizerError where they are damaged, or say something impossible.
 *
 * @example
 * const tokenizer = await openTokenizer({ kind: 'bert', vocabulary: await (await fetch('vocab.txt')).text() });
 * tokenizer.tokenize('playing'); // ['play', '##ing']
 */
export async function openTokenizer(source: TokenizerSource): Promise<TextTokenizer> {
  return (await import('./tokenizers/make_tokenizer.js')).makeTokenizer(source);
}

/**
 * Creates the tokenizer of a model: what its metadata names, or a file `tokenizer.json` that is packed into it.
 *
 * @param metadata - The model's.
 * @throws TokenizerError where it names none, or a file is missing or wrong.
 */
export async function tokenizerOf(metadata: TextMetadata | null): Promise<TextTokenizer> {
  checkArguments(
    'tokenizerOf',
    { metadata },
    { metadata: metadata === null ? NULL : METADATA },
    (...provided) => new TokenizerError(...provided),
  );
  return openTokenizer(sourceOf(metadata));
}

/** @internal The files of a model's tokenizer. */
export function sourceOf(metadata: TextMetadata | null): TokenizerSource {
  const { inputs = [], inputProcessing, files = [] } = metadata ?? {};
  const entry = inputProcessing?.tokenizer ?? inputs.find(({ tokenizer }) => tokenizer)?.tokenizer;
  const json = files.find(({ name }) => name === TOKENIZER_JSON);
  if (entry) return sourceOfEntry(entry, files);
  if (json) return { kind: 'tokenizer.json', json: json.text() };
  throw new TokenizerError(
    `The model's metadata names no tokenizer, and no file ${TOKENIZER_JSON} is packed into it: set the option tokenizer, ` +
      'e.g. await openTokenizer({ kind: "bert", vocabulary }).',
  );
}
