/** Parts of a tokenizer.json; what they return is what `tokenizers` 0.23.3 for Python returns. */

import { openTokenizer } from '@tflite-webnn/tasks/text';
import { describe, expect, it } from 'vitest';

const open = (parts: object) => openTokenizer({ kind: 'tokenizer.json', json: JSON.stringify(parts) });

interface Parts {
  readonly normalizer?: object;
  readonly pre_tokenizer?: object;
  readonly added_tokens?: readonly {
    readonly id: number;
    readonly content: string;
    readonly [option: string]: unknown;
  }[];
}

/** All words that are expected, so that any other one is unknown. */
function model(words: readonly string[]) {
  const vocab = Object.fromEntries(['[UNK]', ...new Set(words)].map((word, id) => [word, id]));
  return { type: 'WordLevel', vocab, unk_token: '[UNK]' };
}

it.each<[string, Parts, string, string[]]>([
  [
    'words of any script',
    { pre_tokenizer: { type: 'Whitespace' } },
    'Caf\u00e9 na\u00efve_1, \u043f\u0440\u0438\u0432\u0435\u0442!? \u65e5\u672c e\u0301a',
    ['Caf\u00e9', 'na\u00efve_1', ',', '\u043f\u0440\u0438\u0432\u0435\u0442', '!?', '\u65e5\u672c', 'e\u0301a'],
  ],
  [
    'spaces of Unicode alone',
    { pre_tokenizer: { type: 'WhitespaceSplit' } },
    'a\u00a0b\u0085c\ufeffd\u3000e',
    ['a', 'b', 'c\ufeffd', 'e'],
  ],
  [
    'single marks',
    { pre_tokenizer: { type: 'Punctuation' } },
    'Hey!! \u00aba\u00bb$b',
    ['Hey', '!', '!', ' ', '\u00ab', 'a', '\u00bb', '$', 'b'],
  ],
  [
    'digits of any script',
    { pre_tokenizer: { type: 'Digits', individual_digits: false } },
    'a12b\u0663\u0664\u00bdc',
    ['a', '12', 'b', '\u0663\u0664\u00bd', 'c'],
  ],
  [
    'each digit',
    { pre_tokenizer: { type: 'Digits', individual_digits: true } },
    'a12\u2167',
    ['a', '1', '2', '\u2167'],
  ],
  [
    'fixed lengths of characters',
    { pre_tokenizer: { type: 'FixedLength', length: 2 } },
    'a\ud83d\ude00b\ud83d\ude00',
    ['a\ud83d\ude00', 'b\ud83d\ude00'],
  ],
  ['one delimiter', { pre_tokenizer: { type: 'CharDelimiterSplit', delimiter: '|' } }, 'a|b||c', ['a', 'b', 'c']],
  [
    'spaces as marks',
    { pre_tokenizer: { type: 'Metaspace', replacement: '\u2581', prepend_scheme: 'always', split: true } },
    'a b  c',
    ['\u2581a', '\u2581b', '\u2581', '\u2581c'],
  ],
  [
    'spaces as marks, in one',
    { pre_tokenizer: { type: 'Metaspace', replacement: '\u2581', prepend_scheme: 'never', split: false } },
    'a b',
    ['a\u2581b'],
  ],
  [
    'bytes',
    { pre_tokenizer: { type: 'ByteLevel', add_prefix_space: true, use_regex: true, trim_offsets: true } },
    "I'm \u00e9  ok",
    ['\u0120I', "'m", '\u0120\u00c3\u00a9', '\u0120', '\u0120ok'],
  ],
  [
    'Removed',
    { pre_tokenizer: { type: 'Split', pattern: { Regex: '(-)' }, behavior: 'Removed', invert: false } },
    '-a--b-',
    ['a', 'b'],
  ],
  [
    'Removed, inverted',
    { pre_tokenizer: { type: 'Split', pattern: { String: '-' }, behavior: 'Removed', invert: true } },
    '-a--b-',
    ['-', '-', '-', '-'],
  ],
  [
    'Isolated',
    { pre_tokenizer: { type: 'Split', pattern: { Regex: '(-)' }, behavior: 'Isolated', invert: false } },
    '-a--b-',
    ['-', 'a', '-', '-', 'b', '-'],
  ],
  [
    'Isolated, inverted',
    { pre_tokenizer: { type: 'Split', pattern: { String: '-' }, behavior: 'Isolated', invert: true } },
    '-a--b-',
    ['-', 'a', '-', '-', 'b', '-'],
  ],
  [
    'MergedWithPrevious',
    { pre_tokenizer: { type: 'Split', pattern: { Regex: '(-)' }, behavior: 'MergedWithPrevious', invert: false } },
    '-a--b-',
    ['-', 'a-', '-', 'b-'],
  ],
  [
    'MergedWithPrevious, inverted',
    { pre_tokenizer: { type: 'Split', pattern: { String: '-' }, behavior: 'MergedWithPrevious', invert: true } },
    '-a--b-',
    ['-a', '-', '-b', '-'],
  ],
  [
    'MergedWithNext',
    { pre_tokenizer: { type: 'Split', pattern: { Regex: '(-)' }, behavior: 'MergedWithNext', invert: false } },
    '-a--b-',
    ['-a', '-', '-b', '-'],
  ],
  [
    'MergedWithNext, inverted',
    { pre_tokenizer: { type: 'Split', pattern: { String: '-' }, behavior: 'MergedWithNext', invert: true } },
    '-a--b-',
    ['-', 'a-', '-', 'b-'],
  ],
  [
    'Contiguous',
    { pre_tokenizer: { type: 'Split', pattern: { Regex: '(-)' }, behavior: 'Contiguous', invert: false } },
    '-a--b-',
    ['-', 'a', '--', 'b', '-'],
  ],
  [
    'Contiguous, inverted',
    { pre_tokenizer: { type: 'Split', pattern: { String: '-' }, behavior: 'Contiguous', invert: true } },
    '-a--b-',
    ['-', 'a', '--', 'b', '-'],
  ],
  [
    'no letters at the ends of words',
    { normalizer: { type: 'Lowercase' }, pre_tokenizer: { type: 'WhitespaceSplit' } },
    '\u039f\u0394\u039f\u03a3 \u0130 \u1e9e',
    ['\u03bf\u03b4\u03bf\u03c3', 'i\u0307', '\u00df'],
  ],
  [
    'Chinese beyond 16 bits',
    {
      normalizer: {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase: true,
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
    },
    '\ud840\udc00\ud840\udc01\u00c9\u200b\u0007x\u00a0\u03a3',
    ['\ud840\udc00', '\ud840\udc01', 'ex', '\u03c3'],
  ],
  [
    'nothing in front of nothing',
    {
      normalizer: {
        type: 'Sequence',
        normalizers: [
          { type: 'Replace', pattern: { String: 'a' }, content: '' },
          { type: 'Prepend', prepend: '\u2581' },
        ],
      },
    },
    'a',
    [],
  ],
  [
    "Unicode's spaces at the ends",
    { normalizer: { type: 'Strip', strip_left: true, strip_right: true } },
    '\u0085 a\ufeff ',
    ['a\ufeff'],
  ],
  [
    "Nmt's spaces",
    { normalizer: { type: 'Nmt' }, pre_tokenizer: { type: 'WhitespaceSplit' } },
    'a\u200bb\u0001c\u2581d',
    ['a', 'bc', 'd'],
  ],
  [
    'a replacement as it is',
    { normalizer: { type: 'Replace', pattern: { Regex: '[ab]+' }, content: '$&$`' } },
    'abcab',
    ['$&$`c$&$`'],
  ],
  ['letters of bytes', { normalizer: { type: 'ByteLevel' } }, '\u00e9 a', ['\u00c3\u00a9\u0120a']],
  [
    'added tokens as words alone',
    { pre_tokenizer: { type: 'WhitespaceSplit' }, added_tokens: [{ id: 3, content: 'ab', single_word: true }] },
    'ab xab ab. ab\u00e9',
    ['ab', 'xab', 'ab', '.', 'ab\u00e9'],
  ],
  [
    'spaces around added tokens',
    {
      pre_tokenizer: { type: 'Split', pattern: { String: 'x' }, behavior: 'Isolated', invert: false },
      added_tokens: [{ id: 13, content: '<m>', lstrip: true, rstrip: true }],
    },
    'a  <m> x <m>',
    ['a', '<m>', 'x', '<m>'],
  ],
  [
    'added tokens in what is normalized',
    {
      normalizer: { type: 'Lowercase' },
      pre_tokenizer: { type: 'WhitespaceSplit' },
      added_tokens: [
        { id: 13, content: '<A>', normalized: true },
        { id: 13, content: '<B>', normalized: false },
      ],
    },
    '<A> <a> <B> <b>',
    ['<A>', '<A>', '<B>', '<b>'],
  ],
  [
    'the longest added token',
    {
      pre_tokenizer: { type: 'WhitespaceSplit' },
      added_tokens: [
        { id: 3, content: '<s>' },
        { id: 4, content: '<s>x' },
      ],
    },
    '<s>x<s>y',
    ['<s>x', '<s>', 'y'],
  ],
])('%s', async (_, parts, text, words) => {
  const tokens = parts.added_tokens ?? [];
  const others = words.filter((word) => !tokens.some(({ content }) => content === word));
  const added = tokens.map((token, index) => ({ ...token, id: 100 + index }));
  const tokenizer = await open({ ...parts, added_tokens: added, model: model(others) });
  expect(tokenizer.tokenize(text)).toEqual(words);
});

describe('models', () => {
  const SPLIT = { pre_tokenizer: { type: 'WhitespaceSplit' } };
  const idsOf = async (parts: object, text: string) => {
    const tokenizer = await open({ ...SPLIT, ...parts });
    return tokenizer.tokenize(text).map((piece) => tokenizer.idOf(piece) ?? tokenizer.unknownId);
  };
  const PIECES = [
    ['<unk>', 0],
    ['a', -2],
    ['b', -2.5],
    ['ab', -3],
  ];
  const BYTES = Array.from({ length: 256 }, (_, byte) => [
    `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    -9,
  ]);
  const unigram = (more: object = {}) => ({ model: { type: 'Unigram', unk_id: 0, vocab: PIECES, ...more } });
  const bpe = (pieces: readonly string[], merges: readonly (readonly string[])[], more: object) => ({
    model: { type: 'BPE', vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])), merges, ...more },
  });

  it.each<[string, object, string, number[]]>([
    [
      'an added token behind the pieces',
      { ...unigram(), added_tokens: [{ id: 4, content: '[X]' }] },
      'aab[X]ab xb',
      [1, 3, 4, 3, 0, 2],
    ],
    ['unknown letters of two words', unigram(), 'xy z ax', [0, 0, 1, 0]],
    ['bytes of unigram', unigram({ vocab: [...PIECES, ...BYTES], byte_fallback: true }), 'a\u00e9 b', [1, 199, 173, 2]],
    [
      'a letter that is an added token elsewhere',
      { ...unigram(), added_tokens: [{ id: 4, content: 'x', single_word: true }] },
      'x ax',
      [4, 1, 0],
    ],
    [
      'an unknown word',
      { model: { type: 'WordLevel', vocab: { a: 0, '[UNK]': 1 }, unk_token: '[UNK]' } },
      'a b',
      [0, 1],
    ],
    [
      'letters inside of words and at their ends',
      bpe(
        ['u', 'a', '##b', '##c$', 'ab', 'abc$', 'a$'],
        [
          ['a', '##b'],
          ['ab', '##c$'],
        ],
        {
          unk_token: 'u',
          continuing_subword_prefix: '##',
          end_of_word_suffix: '$',
        },
      ),
      'abc a ab',
      [5, 6, 1, 0],
    ],
    [
      'unknown letters that become one',
      bpe(['u', 'a'], [], { unk_token: 'u', fuse_unk: true }),
      'xya x y',
      [0, 1, 0, 0],
    ],
    ['entire words of BPE', bpe(['a', 'b', 'ab', 'ba'], [['b', 'a']], { ignore_merges: true }), 'ab aba c', [2, 0, 3]],
    ['bytes of BPE', bpe(['a', '<0xC3>', '<0xA9>'], [], { byte_fallback: true }), 'a\u00e9\u00e8', [0, 1, 2]],
    [
      'WordPiece without a prefix',
      {
        model: {
          type: 'WordPiece',
          unk_token: 'u',
          continuing_subword_prefix: '',
          max_input_chars_per_word: 4,
          vocab: { u: 0, ab: 1, a: 2 },
        },
      },
      'aba abb aaaaa',
      [1, 2, 0, 0],
    ],
  ])('%s', async (_, parts, text, ids) => {
    expect(await idsOf(parts, text)).toEqual(ids);
  });

  it('rules of SentencePiece for entire graphemes', async () => {
    const units = new Uint32Array(256);
    units[0] = 1 << 10; // the root, of which "a" is a child with a value
    units[1 ^ 97] = 97 | 0x100 | (2 << 10);
    units[1 ^ 97 ^ 2] = 0x80000000;
    const sizeBytes = new Uint8Array(Uint32Array.of(units.byteLength).buffer);
    const rules = [...sizeBytes, ...new Uint8Array(units.buffer), ...new TextEncoder().encode('bc\0')];
    const normalizer = { type: 'Precompiled', precompiled_charsmap: btoa(String.fromCharCode(...rules)) };
    const words = ['xbc', 'bc', 'bcx'];
    expect(await idsOf({ normalizer, model: model(words) }, 'xa a\u0301 ax')).toEqual([1, 2, 3]);
  });
});
