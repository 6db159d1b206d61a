import { Tokenizer } from '@huggingface/tokenizers';
import { openTokenizer } from '@tflite-webnn/tasks/text';
import { describe, expect, it, vi } from 'vitest';
import { checkExpressions } from '../src/text/tokenizers/expression_cost.js';

const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const field = (number: number, bytes: readonly number[]) => [number * 8 + 2, ...varint(bytes.length), ...bytes];
const letters = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));
/** A model of normal pieces. */
function sentencePiece(pieces: readonly string[], algorithm: 1 | 2, charsmap: readonly number[] = []) {
  const trainer = field(2, [0x18, algorithm]);
  const normalizer = field(3, field(2, charsmap));
  const model = [...pieces.flatMap((piece) => field(1, field(1, letters(piece)))), ...trainer, ...normalizer];
  return openTokenizer({ kind: 'sentencePiece', model: Uint8Array.from(model) });
}
const json = (parts: object) => openTokenizer({ kind: 'tokenizer.json', json: JSON.stringify(parts) });
const vocab = { a: 0, '[UNK]': 1 };
const model = { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', vocab };

describe('SentencePiece', () => {
  it.each([1, 2] as const)('rejects pieces of 20,000 letters and empty ones (algorithm %d)', async (algorithm) => {
    const long = sentencePiece(['b', 'a'.repeat(20_000)], algorithm);
    await expect(long).rejects.toThrow(/Piece 1 has 20000 characters: a piece may have 1 to 100/);
    await expect(sentencePiece(['b', ''], algorithm)).rejects.toThrow(
      expect.objectContaining({ name: 'TokenizerError', code: 'TOKENIZER' }),
    );
  });

  it.each([1, 2] as const)('looks at no more letters than pieces have (algorithm %d)', async (algorithm) => {
    const tokenizer = await sentencePiece(['a', 'a'.repeat(100)], algorithm);
    const read = vi.spyOn(String.prototype, 'charCodeAt');
    tokenizer.tokenize('b'.repeat(10_000));
    expect(read.mock.calls.length).toBeLessThan(100_000);
    read.mockClear();
    tokenizer.tokenize(`${'a'.repeat(99)}b`.repeat(10));
    expect(read.mock.calls.length).toBeLessThan(4 * 1000 * 100);
    read.mockRestore();
  });

  /** Rules for "a": a trie of a root, its child at 1 ^ 97, and the value; then what they write. */
  function ruleForA(text: string, unit = 97 | 0x100 | (2 << 10)): number[] {
    const units = new Uint32Array(256);
    units[0] = 1 << 10;
    units[1 ^ 97] = unit;
    units[1 ^ 97 ^ 2] = 0x80000000;
    const sizeBytes = new Uint8Array(Uint32Array.of(units.byteLength).buffer);
    return [...sizeBytes, ...new Uint8Array(units.buffer), ...letters(text), 0];
  }

  it('rejects a rule that writes 100,000 letters', async () => {
    const short = await sentencePiece(['b'], 1, ruleForA('b'.repeat(1000)));
    expect(short.tokenize('a')).toHaveLength(1001);
    const long = await sentencePiece(['b'], 1, ruleForA('b'.repeat(100_000)));
    expect(() => long.tokenize('a')).toThrow(/writes more than 1000 bytes/);
  });

  it('rejects rules that make a text more than 20 times longer', async () => {
    const tokenizer = await sentencePiece(['b'], 1, ruleForA('b'.repeat(1000)));
    expect(() => tokenizer.tokenize('aa')).toThrow(/make the text more than 20 times longer/);
    expect(tokenizer.tokenize(`a${'c'.repeat(100)}`).length).toBeGreaterThan(1000);
  });

  it('rejects a trie that leads back into itself', async () => {
    // After "a", the root's child at 97 again.
    const tokenizer = await sentencePiece(['b'], 1, ruleForA('b', 97 | (97 << 10)));
    expect(tokenizer.tokenize('a'.repeat(1000))).toHaveLength(1);
    expect(() => tokenizer.tokenize('a'.repeat(1001))).toThrow(/reads more than 1000 bytes/);
  });

  it('reads each space of a text once', async () => {
    const tokenizer = await sentencePiece(['b'], 1, ruleForA(`b${' '.repeat(900)}b`));
    const replace = vi.spyOn(String.prototype, 'replace');
    tokenizer.tokenize(`a${'c'.repeat(100)}`);
    const rereads = replace.mock.calls.filter(([expression]) => String(expression).includes('$'));
    replace.mockRestore();
    expect(rereads).toHaveLength(0);
  });
});

describe('regular expressions', () => {
  const checkExpression = (source: string) => checkExpressions([source]);

  it.each([
    '(a+)+$',
    '[[](a+)+$[^]', // one class, not the beginning of a nested one
    '(a|a)*b',
    '(a|ab)(c|bcd)(d*)+',
    'a*a*b',
    String.raw`\s+\s+$`,
    '(?:a?){30}a{30}',
    `${'a?'.repeat(30)}${'a'.repeat(30)}`,
    '((a{0,20}){0,20}){0,20}b',
    String.raw`(a)\1`,
    'a+(?=a+b)c',
    '(a*?)*?b',
    `${'('.repeat(60)}a${')'.repeat(60)}`,
    String.raw`[[a]b]*[\]a]*c`,
    '(?:(?=a)){1000000}',
    '(?:(?=a)){1000000,}',
    '(?:a?)*b',
    // Each takes a time that grows with the square of a text of letters "a".
    'a*b',
    'a++b',
    '(?:ab)*c',
    'a{5000}b',
    'a{0,5000}b',
    String.raw`\s+$`,
    String.raw`\p{N}{1,3}(?=(?:\p{N}{3})*(?:\P{N}|$))`,
    '(?<=a*b)c',
    String.raw`[^\p{L}]?[\p{Lu}\p{M}]*[\p{Ll}\p{M}]+|\p{N}{1,3}`,
    'a*b|aa|a+',
    'a*b|a+?',
    'a*b|a+c',
    'a*b|(?:a+)',
    '(?:a*b)?',
    // The library reads these as a*b, or as repetitions of repetitions.
    '(a{1}+)+b',
    String.raw`a\G*b`,
    'a*b[[]|a+|x]',
    'a*b[]|a+|x]',
    'a*b(?#()|a+|x',
    '(?i)a',
    String.raw`\x41*b|1+`,
    `${'(?:a?)'.repeat(16)}${'a'.repeat(16)}`,
  ])('rejects %.40s', (source) => {
    expect(() => checkExpression(source)).toThrow(
      expect.objectContaining({ name: 'TokenizerError', code: 'TOKENIZER' }),
    );
  });

  it.each([
    String.raw`[^\w\']+`,
    String.raw`\s+|,`,
    '(?:ab)*',
    '[[:alpha:]]+',
    ' {2,}',
    // of GPT-2, GPT-4, o200k and BLOOM
    String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`,
    String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
    String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
    String.raw` ?[^(\s|[.,!?…。，、।۔،])]+`,
    String.raw`\p{N}{1,3}(?=(?:\p{N}{3})*(?:\P{N}|$))`.replace('*', '{0,2}'),
  ])('accepts %s', (source) => {
    expect(() => checkExpression(source)).not.toThrow();
  });

  it('have a length', () => {
    expect(() => checkExpression(`[${'a'.repeat(9998)}]`)).not.toThrow();
    expect(() => checkExpression('a'.repeat(10_001))).toThrow(
      /it has 10001 characters with those before, at most 10000/,
    );
    expect(() => checkExpression('a'.repeat(499))).not.toThrow();
    expect(() => checkExpression('a'.repeat(500))).toThrow(
      expect.objectContaining({ name: 'TokenizerError', code: 'TOKENIZER' }),
    );
  });

  it('have a length and steps together', () => {
    const [long, slow] = [`[${'a'.repeat(4998)}]`, 'a'.repeat(249)];
    expect(() => checkExpressions([long, long])).not.toThrow();
    expect(() => checkExpressions([long, long, 'a'])).toThrow(/it has 10001 characters with those before/);
    expect(() => checkExpressions([slow, slow])).not.toThrow();
    expect(() => checkExpressions([slow, slow, 'a'])).toThrow(/in too many ways/);
  });

  it('are checked as delimiters and in a tokenizer.json', async () => {
    const delimiter = openTokenizer({ kind: 'regex', vocabulary: 'a 0', delimiter: '(a+)+$' });
    await expect(delimiter).rejects.toThrow(/The regular expression "\(a\+\)\+\$" could keep a page busy/);
    const split = { type: 'Split', pattern: { Regex: '(a+)+$' }, behavior: 'Removed' };
    await expect(json({ pre_tokenizer: { type: 'Sequence', pretokenizers: [split] }, model })).rejects.toThrow(
      /keep a page/,
    );
  });
});

describe('tokenizer.json', () => {
  const replace = (content: string, pattern: object = { String: 'a' }) => ({ type: 'Replace', pattern, content });
  const normalizers = (count: number, part: object) => ({
    normalizer: { type: 'Sequence', normalizers: Array(count).fill(part) },
    model,
  });
  const splitters = (count: number, part: object) => ({
    pre_tokenizer: { type: 'Sequence', pretokenizers: Array(count).fill(part) },
    model,
  });

  it.each<[string, object]>([
    ['replacements that multiply', normalizers(40, replace('aa'))],
    ['replacements that become longer when they are normalized', normalizers(2, replace('\ufdfa'))],
    ['texts that are put everywhere', normalizers(40, replace('x', { String: '' }))],
    ['texts that are put where an expression matches nothing', normalizers(40, replace('x', { Regex: 'a*' }))],
    ['texts that are put in front', normalizers(40, { type: 'Prepend', prepend: 'x' })],
    ["SentencePiece's rules that multiply", normalizers(2, { type: 'Precompiled', precompiled_charsmap: '' })],
    ['bytes of bytes', splitters(40, { type: 'ByteLevel', use_regex: false })],
    ['a long text for a space', { pre_tokenizer: { type: 'Metaspace', replacement: 'a'.repeat(1000) }, model }],
    [
      'a long text for a space, with a short one of old files',
      { pre_tokenizer: { type: 'Metaspace', str_rep: 'a', replacement: 'a'.repeat(1000) }, model },
    ],
    ['a long delimiter', { pre_tokenizer: { type: 'CharDelimiterSplit', delimiter: 'a'.repeat(1001) }, model }],
    ['pieces of no length', { pre_tokenizer: { type: 'FixedLength', length: 0 }, model }],
    ['pieces of less than a letter', { pre_tokenizer: { type: 'FixedLength', length: 1e-9 }, model }],
    ['many steps', normalizers(101, { type: 'Lowercase' })],
    ['a long text that is searched for', { normalizer: replace('a', { String: 'a'.repeat(1001) }), model }],
    ['words of any length', { model: { ...model, max_input_chars_per_word: 'many' } }],
    ['a long prefix', { model: { ...model, continuing_subword_prefix: '#'.repeat(1000) } }],
    ['pieces that are no text', { model: { vocab: [[1, 2]] } }],
    ['a long replacement', { normalizer: replace('a'.repeat(101)), model }],
    ['a replacement that is a list', { normalizer: { ...replace('a'), content: [['a'.repeat(1e6)]] }, model }],
    ['a list that is put in front', { normalizer: { type: 'Prepend', prepend: ['a'.repeat(1e6)] }, model }],
    ['a list for a space', { pre_tokenizer: { type: 'Metaspace', replacement: ['a'.repeat(1e6)] }, model }],
    ['many expressions', splitters(50, { type: 'Split', pattern: { Regex: '(?:ab){0,5}' }, behavior: 'Removed' })],
    ['a long piece of a list', { model: { vocab: [['a'.repeat(101), 0]] } }],
    ['a longer added token', { added_tokens: [{ id: 3, content: 'a'.repeat(101) }], model }],
    ['deep nesting', JSON.parse(`{"normalizer": ${'['.repeat(200)}${']'.repeat(200)}}`)],
    ['long words', { model: { ...model, max_input_chars_per_word: 1e9 } }],
    ['a long piece', { model: { ...model, vocab: { ...vocab, ['a'.repeat(20_000)]: 2 } } }],
    ['a long piece of unigram', { model: { type: 'Unigram', vocab: [['a'.repeat(20_000), 0]] } }],
    ['a long added token', { added_tokens: [{ id: 3, content: 'a'.repeat(20_000) }], model }],
  ])('rejects %s', async (_, parts) => {
    await expect(json({ added_tokens: [], ...parts })).rejects.toThrow(/could keep a page busy/);
  });
});

describe("the library's models", () => {
  const parts = { added_tokens: [], normalizer: null, post_processor: null, decoder: null };
  const words = { ...parts, pre_tokenizer: { type: 'WhitespaceSplit' } };
  const LIST = [
    ['<unk>', 0],
    ['a', -2],
    ['b', -2.5],
    ['ab', -3],
    ['aba', -4],
    ['bb', -4],
    ['\u{1f600}', -6],
    ['', -1],
  ];
  const UNIGRAM = { ...words, model: { type: 'Unigram', vocab: LIST, unk_id: 0 } };
  const PIECES = ['[UNK]', 'a', 'ab', 'b', '##a', '##b', '##ba', '##\u{1f600}', '##', '##bb'];
  const ids = Object.fromEntries(PIECES.map((piece, id) => [piece, id]));
  const WORD_PIECE = { ...words, model: { ...model, vocab: ids, max_input_chars_per_word: 12 } };

  it.each([UNIGRAM, WORD_PIECE])('are cut as it cuts them: %#', async (content) => {
    const [actual, expected] = [await json(content), new Tokenizer(content, {})];
    const letters = ['a', 'b', 'ab', ' ', 'x', '\u{1f600}', '\ud83d'];
    for (let index = 0; index < 2000; index++) {
      const text = Array.from({ length: 1 + (index % 20) }, (_, at) => letters[(index * 31 + at * at * 7) % 7]).join(
        '',
      );
      expect(actual.tokenize(text)).toEqual(expected.tokenize(text));
    }
  });

  it('are cut in a time that grows with the text', async () => {
    const unigram = await json(UNIGRAM);
    expect(unigram.tokenize('a'.repeat(200_000))).toHaveLength(200_000); // its own is a RangeError here
    expect(unigram.tokenize('x'.repeat(200_000))).toEqual(['x'.repeat(200_000)]);
    const looked = vi.spyOn(Map.prototype, 'has');
    (await json({ ...WORD_PIECE, model: { ...model, vocab: { a: 0, '##a': 1 } } })).tokenize('a'.repeat(100));
    expect(looked.mock.calls.length).toBeLessThan(1000);
    looked.mockRestore();
  });

  it('have no templates, which could repeat the pieces', async () => {
    const piece = { Sequence: { id: 'A', type_id: 0 } };
    const template = { type: 'TemplateProcessing', single: [piece, piece], pair: [] };
    const processors = Array(40).fill(template);
    const tokenizer = await json({ ...UNIGRAM, post_processor: { type: 'Sequence', processors } });
    expect(tokenizer.tokenize('a')).toEqual(['a']);
  });
});

it('rejects pieces of a SentencePiece model of which many begin with each other', async () => {
  const model = (count: number) =>
    sentencePiece(
      Array.from({ length: count }, (_, index) => 'a'.repeat(index + 1)),
      1,
    );
  await expect(model(65)).rejects.toThrow(/more than 64 of its pieces begin with each other/);
  expect((await model(64)).tokenize('a'.repeat(100))).toHaveLength(3);
});

it("looks for no more letters of a word than WordPiece's pieces have", async () => {
  const tokenizer = await openTokenizer({ kind: 'bert', vocabulary: 'a\n##a\n[UNK]' });
  const looked = vi.spyOn(Map.prototype, 'has');
  expect(tokenizer.tokenize('a'.repeat(100))).toHaveLength(100);
  expect(looked.mock.calls.length).toBeLessThan(1000);
  looked.mockRestore();
});

it('rejects unigram pieces of which many begin with each other', async () => {
  const pieces = (count: number) => Array.from({ length: count }, (_, index) => ['a'.repeat(index + 1), -1]);
  const unigram = (count: number, type?: string) => json({ model: { type, vocab: pieces(count), unk_id: 0 } });
  await expect(unigram(21, 'Unigram')).rejects.toThrow(/more than 20 of its pieces begin with each other/);
  await expect(unigram(21)).rejects.toThrow(/begin with each other/); // a list of pieces is one without its type
  expect((await unigram(20)).tokenize('a'.repeat(25))).toHaveLength(2);
});
