import { openTokenizer, type TextMetadata, tokenizerOf } from '@tflite-webnn/tasks/text';
import { describe, expect, it } from 'vitest';

const PIECES = ['[UNK]', '[CLS]', '[SEP]', 'play', '##ing', 'the', 'game', '!', '語', '##s'];
const bert = (pieces = PIECES) => openTokenizer({ kind: 'bert', vocabulary: pieces.join('\n') });
const regex = (vocabulary: string, delimiter = String.raw`[^\w\']+`) =>
  openTokenizer({ kind: 'regex', vocabulary, delimiter });

/** A file in a model. */
function packed(name: string, content: string) {
  const bytes = new TextEncoder().encode(content);
  return { name, bytes: () => bytes, text: () => content };
}

function entry(kind: 'bert' | 'sentencePiece' | 'regex', file: string | null, delimiter: string | null = null) {
  const files = file === null ? [] : [file];
  return { kind, vocabularies: files, models: files, delimiter };
}

describe('WordPiece', () => {
  it('cuts at white space and punctuation, and words into the longest pieces', async () => {
    const tokenizer = await bert();
    expect(tokenizer.tokenize('playing the games!語')).toEqual(['play', '##ing', 'the', 'game', '##s', '!', '語']);
    expect(tokenizer.idOf('##ing')).toBe(4);
    expect(tokenizer.idOf('none')).toBeUndefined();
    expect(tokenizer.unknownId).toBe(0);
    expect(tokenizer.tokenize('')).toEqual([]);
  });

  it('returns unknown pieces for words that it does not know, or of more than 100 bytes', async () => {
    const tokenizer = await bert([...PIECES, 'é', '##é']);
    expect(tokenizer.tokenize('plays played')).toEqual(['play', '##s', '[UNK]']);
    expect(tokenizer.tokenize(`${'é'.repeat(50)} ${'é'.repeat(51)}`).slice(-2)).toEqual(['##é', '[UNK]']);
    expect(tokenizer.tokenize('the\u00a0game')).toEqual(['[UNK]']); // no white space of ASCII's
  });

  it('rejects an empty vocabulary', async () => {
    await expect(bert([''])).rejects.toThrow(expect.objectContaining({ name: 'TokenizerError', code: 'TOKENIZER' }));
  });
});

it('wants a number for the piece of an id', async () => {
  const json = JSON.stringify({
    version: '1.0',
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
    decoder: null,
    model: { type: 'BPE', vocab: { a: 0 }, merges: [] },
  });
  const tokenizer = await openTokenizer({ kind: 'tokenizer.json', json });
  expect([tokenizer.pieceOf?.(0), tokenizer.pieceOf?.(9)]).toEqual(['a', undefined]);
  expect(() => tokenizer.pieceOf?.('a' as never)).toThrow('pieceOf(): id is an integer, 0 or more; got "a"');
  expect((await bert()).pieceOf).toBeUndefined();
});

describe('words', () => {
  it('cuts at the expression', async () => {
    const tokenizer = await regex("<PAD> 0\n<UNKNOWN> 1\nit's 7");
    expect(tokenizer.tokenize("  it's (fun)")).toEqual(["it's", 'fun']);
    expect([tokenizer.idOf("it's"), tokenizer.idOf('fun'), tokenizer.unknownId]).toEqual([7, undefined, 1]);
  });

  it.each([
    [String.raw`\s+`, 'a\tb\u00a0c', ['a', 'b\u00a0c']],
    [String.raw`[\s\x{2c}]`, 'a,b c', ['a', 'b', 'c']],
    [String.raw`\pP`, 'a.b', ['a', 'b']],
    [String.raw`(\W)`, 'a-b', ['a', 'b']],
    [String.raw`\S-`, 'ab-c', ['a', 'c']],
  ])('reads %s as RE2 does', async (delimiter, text, words) => {
    expect((await regex('a 0', delimiter)).tokenize(text)).toEqual(words);
  });

  it.each([
    ['word', ' '],
    ['word one', ' '],
    ['word 1', '('],
    ['word 1', '[[:alpha:]]'],
    ['word 1', 'a*'],
  ])('rejects the vocabulary %j with the expression %j', async (vocabulary, delimiter) => {
    await expect(regex(vocabulary, delimiter)).rejects.toThrow(
      expect.objectContaining({ name: 'TokenizerError', code: 'TOKENIZER' }),
    );
  });
});

describe('SentencePiece', () => {
  const message = (...bytes: number[]) => openTokenizer({ kind: 'sentencePiece', model: Uint8Array.from(bytes) });

  it.each([
    ['nothing', []],
    ['a cut length', [0x0a]],
    ['a length beyond the end', [0x0a, 5, 1]],
    ['an unknown kind of field', [0x0b, 0]],
    ['a length of too many digits', [0x0a, 3, 0x0a, 1, 0x61, 0x12, ...Array<number>(160).fill(0x80), 0]],
    ['a model of words', [0x0a, 3, 0x0a, 1, 0x61, 0x12, 2, 0x18, 3]],
    ['rules that are cut', [0x0a, 3, 0x0a, 1, 0x61, 0x1a, 4, 0x12, 2, 9, 9]],
  ])('rejects %s', async (_, bytes) => {
    await expect(message(...bytes)).rejects.toThrow(
      expect.objectContaining({ name: 'TokenizerError', code: 'TOKENIZER' }),
    );
  });

  it('reads a model of one piece', async () => {
    const tokenizer = await message(0x0a, 3, 0x0a, 1, 0x61);
    expect(tokenizer.tokenize('aa')).toEqual(['▁', 'a', 'a']);
    expect(tokenizer.idOf('a')).toBe(0);
  });

  it.each([
    // as sentencepiece 0.2.3 for Python returns
    ['a\ufeffa', ['▁', 'a', '\ufeff', 'a']],
    ['\ufeff', ['▁', '\ufeff']],
    ['a▁ ▁', ['▁', 'a']],
    ['▁', []],
    ['a\0', ['▁', 'a', '\0']],
  ])('cuts %j into %j', async (text, pieces) => {
    const tokenizer = await message(0x0a, 3, 0x0a, 1, 0x61, 0x0a, 5, 0x0a, 3, 0xef, 0xbb, 0xbf);
    expect(tokenizer.tokenize(text)).toEqual(pieces);
    expect(tokenizer.idOf('\ufeff')).toBe(1);
  });
});

describe('tokenizer.json', () => {
  const JSON_TEXT = JSON.stringify({
    added_tokens: [],
    normalizer: { type: 'BertNormalizer', lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: { '[UNK]': 0, play: 1, '##ing': 2, cafe: 3 },
    },
  });

  it('is read by the library', async () => {
    const tokenizer = await openTokenizer({ kind: 'tokenizer.json', json: JSON_TEXT });
    // as tokenizers 0.23.3 for Python returns
    expect(tokenizer.tokenize('Playing Café x')).toEqual(['play', '##ing', 'cafe', '[UNK]']);
    expect([tokenizer.idOf('cafe'), tokenizer.unknownId]).toEqual([3, 0]);
  });

  it('is rejected where it is none', async () => {
    for (const json of ['{', '{}']) {
      await expect(openTokenizer({ kind: 'tokenizer.json', json })).rejects.toThrow(
        expect.objectContaining({ name: 'TokenizerError', code: 'TOKENIZER' }),
      );
    }
  });

  it('is found in a model without other metadata', async () => {
    const tokenizer = await tokenizerOf({ inputs: [], files: [packed('tokenizer.json', JSON_TEXT)] });
    expect(tokenizer.idOf('play')).toBe(1);
  });
});

describe('tokenizerOf', () => {
  const vocabulary = packed('vocab.txt', PIECES.join('\n'));

  it('accepts what the metadata names, of all inputs or of one', async () => {
    const tokenizer = entry('bert', 'vocab.txt');
    const all = await tokenizerOf({ inputs: [], inputProcessing: { tokenizer }, files: [vocabulary] });
    const one = await tokenizerOf({ inputs: [{}, { tokenizer }], files: [vocabulary] });
    expect([all.idOf('play'), one.idOf('play')]).toEqual([3, 3]);
    const words = { tokenizer: entry('regex', 'words.txt', ' ') };
    expect((await tokenizerOf({ inputs: [words], files: [packed('words.txt', 'a 5')] })).idOf('a')).toBe(5);
  });

  it.each<[string, TextMetadata | null]>([
    ['no metadata', null],
    ['no tokenizer', { inputs: [{ tokenizer: null }] }],
    ['a file that is not there', { inputs: [{ tokenizer: entry('bert', 'other.txt') }], files: [vocabulary] }],
    ['no file', { inputs: [{ tokenizer: entry('sentencePiece', null) }], files: [vocabulary] }],
    ['no expression', { inputs: [{ tokenizer: entry('regex', 'vocab.txt') }], files: [vocabulary] }],
  ])('rejects %s', async (_, metadata) => {
    await expect(tokenizerOf(metadata)).rejects.toThrow(
      expect.objectContaining({ name: 'TokenizerError', code: 'TOKENIZER' }),
    );
  });
});
