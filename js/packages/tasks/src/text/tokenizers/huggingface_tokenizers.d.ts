/** What is used of the library: its own declarations import each other without extensions, which Node's rules forbid. */

export interface TokenizerModel {
  readonly config: { readonly continuing_subword_prefix?: string };
  readonly vocab: readonly string[];
  readonly tokens_to_ids: ReadonlyMap<string, number>;
  readonly unk_token?: string;
  readonly unk_token_id?: number;
  /** Only WordPiece has it. */
  readonly max_input_chars_per_word?: number;
  /** Only unigram has them. */
  readonly scores?: readonly number[];
  encode: (words: readonly string[]) => string[];
  /** Whether neighbours that `encode` does not know become one. */
  fuse_unk: boolean;
}

export class Tokenizer {
  constructor(tokenizer: unknown, config: object);
  readonly model: TokenizerModel;
  tokenize(text: string): string[];
  token_to_id(piece: string): number | undefined;
  id_to_token(id: number): string | undefined;
  get_added_tokens_decoder(): ReadonlyMap<number, { readonly special: boolean }>;
}
