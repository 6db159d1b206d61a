/** What is used of the library: its own declarations import each other without extensions, which Node's rules forbid. */

export class WordPiece {
  constructor(config: {
    type: 'WordPiece';
    vocab: Readonly<Record<string, number>>;
    unk_token: string;
    continuing_subword_prefix: string;
    max_input_chars_per_word: number;
  });
  encode(words: readonly string[]): string[];
}

export class Tokenizer {
  constructor(tokenizer: unknown, config: object);
  readonly model: { readonly unk_token_id?: number } | null;
  tokenize(text: string): string[];
  token_to_id(piece: string): number | undefined;
}
