/** What is used of the library: its own declarations import each other without extensions, which Node's rules forbid. */

export class Tokenizer {
  constructor(tokenizer: unknown, config: object);
  readonly model: { readonly unk_token_id?: number } | null;
  tokenize(text: string): string[];
  token_to_id(piece: string): number | undefined;
}
