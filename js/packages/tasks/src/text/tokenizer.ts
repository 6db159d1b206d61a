/** What all tokenizers have, their sources, and their error. */

import { TFLiteWebnnError } from 'tflite-webnn';

/** A vocabulary or tokenizer file is missing, damaged, or says something impossible. */
export class TokenizerError extends TFLiteWebnnError {
  override readonly name = 'TokenizerError';
  override readonly code = 'TOKENIZER';
}

/** Cuts text into the pieces of a vocabulary. */
export interface TextTokenizer {
  /**
   * Pieces of a text, in order, without special ones such as `[CLS]`. What the vocabulary lacks is left as it is, or `[UNK]`.
   *
   * @param text - The text.
   */
  tokenize(text: string): string[];
  /**
   * Id of a piece; undefined if the vocabulary lacks it.
   *
   * @param piece - As tokenize() returns it.
   */
  idOf(piece: string): number | undefined;
  /** Id of pieces that the vocabulary lacks. */
  readonly unknownId: number;
  /**
   * Piece of an id; empty for those that are no text, such as `<eos>`. Those of `tokenizer.json` and of SentencePiece have
   * it, and text generators need it.
   *
   * @param id - As idOf() returns it.
   */
  pieceOf?(id: number): string | undefined;
}

/** A vocabulary of WordPiece: a piece a line, its id the number of the line. */
export interface BertSource {
  /** As TFLite Metadata names it. */
  readonly kind: 'bert';
  /** The text of `vocab.txt`. */
  readonly vocabulary: string;
}

/** A model of SentencePiece, unigram or BPE. */
export interface SentencePieceSource {
  /** As TFLite Metadata names it. */
  readonly kind: 'sentencePiece';
  /** The bytes of the `.model` file. */
  readonly model: Uint8Array;
}

/** Words between matches of a regular expression. */
export interface RegexSource {
  /** As TFLite Metadata names it. */
  readonly kind: 'regex';
  /** A word and its id in each line, with a space between. */
  readonly vocabulary: string;
  /** The expression, in RE2's syntax. */
  readonly delimiter: string;
}

/** A tokenizer of Hugging Face. */
export interface JsonSource {
  /** As the file is called. */
  readonly kind: 'tokenizer.json';
  /** The text of `tokenizer.json`. */
  readonly json: string;
}

/** Source of a tokenizer. */
export type TokenizerSource = BertSource | SentencePieceSource | RegexSource | JsonSource;
