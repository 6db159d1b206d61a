/** What is used of the library: its own declarations import each other without extensions, which Node's rules forbid. */

/** Translates the expressions of Oniguruma. */
export class SplitPreTokenizer {
  constructor(config: { readonly pattern: { readonly Regex: string } });
  readonly pattern: RegExp | null;
}

/** Only tests use it. */
export class Tokenizer {
  constructor(tokenizer: unknown, config: object);
  tokenize(text: string): string[];
}
