/** Normalizers of a tokenizer.json, as Hugging Face's `tokenizers` computes them. */

import { TokenizerError } from '../tokenizer.js';
import { byteLetters } from './byte_letters.js';
import { expressionOf, type Factories, type Json, partOf, partsOf } from './json_patterns.js';
import { Charsmap } from './sentence_piece_normalizer.js';

export type Normalize = (text: string) => string;

const FACTORIES: Factories<Normalize> = {
  BertNormalizer: bert,
  ByteLevel: inByteLetters,
  Lowercase: () => lowercase,
  NFC: () => (text) => text.normalize('NFC'),
  NFD: () => (text) => text.normalize('NFD'),
  NFKC: () => (text) => text.normalize('NFKC'),
  NFKD: () => (text) => text.normalize('NFKD'),
  Nmt: () => (text) => text.replace(NMT_CONTROLS, '').replace(NMT_SPACES, ' '),
  Precompiled: precompiled,
  Prepend: ({ prepend }) => {
    return (text) => (text === '' ? '' : `${prepend}${text}`);
  },
  Replace: ({ pattern, content }) => {
    const expression = expressionOf(pattern);
    return (text) => text.replaceAll(expression, () => String(content)); // it is no pattern of JavaScript's
  },
  Sequence: ({ normalizers }) => {
    const parts = partsOf(normalizers, FACTORIES);
    return (text) => parts.reduce((normalized, part) => part(normalized), text);
  },
  Strip: ({ strip_left: left, strip_right: right }) => {
    return (text) => text.slice(left ? spacesAtStart(text) : 0, right ? lengthWithoutSpaces(text) : undefined);
  },
  StripAccents: () => (text) => text.replace(/\p{M}/gu, ''),
};

/** The normalizer of a file; null where it has none. */
export function normalizerOf(config: unknown): Normalize | null {
  return config == null ? null : partOf(config, FACTORIES);
}

const SPACE = /\p{White_Space}/u;
// Those that Nmt leaves out, and those that it counts as spaces.
// biome-ignore lint/suspicious/noControlCharactersInRegex: texts may have them
const NMT_CONTROLS = /[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]/g;
const NMT_SPACES = /[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]/g;
const CLEANED = /(?![\t\n\r])[\0\ufffd\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const CHINESE =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;

/** Index of the first character that is not a space. */
export function spacesAtStart(text: string): number {
  let start = 0;
  while (start < text.length && SPACE.test(text[start] as string)) start++;
  return start;
}

/** Index after the last character that is not a space. */
export function lengthWithoutSpaces(text: string): number {
  let end = text.length;
  while (end > 0 && SPACE.test(text[end - 1] as string)) end--;
  return end;
}

/** Each letter by itself: a sigma at the end of a word is no other one. */
function lowercase(text: string): string {
  return text.replaceAll('\u03a3', '\u03c3').toLowerCase();
}

function bert(config: Json): Normalize {
  const { clean_text: cleans = true, handle_chinese_chars: separates = true, lowercase: lowers = true } = config;
  const strips = config.strip_accents ?? lowers;
  return (text) => {
    let normalized = text;
    if (cleans) normalized = normalized.replace(CLEANED, '').replace(/\p{White_Space}/gu, ' ');
    if (separates) normalized = normalized.replace(CHINESE, ' $& ');
    if (strips) normalized = normalized.normalize('NFD').replace(/\p{Mn}/gu, '');
    return lowers ? lowercase(normalized) : normalized;
  };
}

function inByteLetters(): Normalize {
  const letters = byteLetters();
  const encoder = new TextEncoder();
  return (text) => Array.from(encoder.encode(text), (byte) => letters[byte]).join('');
}

/** Longer graphemes are replaced character by character. */
const MAX_GRAPHEME_BYTES = 5;
/** How many times longer a text may become by SentencePiece's rules. */
export const MAX_GROWTH_OF_RULES = 20;
/** Of short texts; added tokens cut a text into many of them. */
const MIN_LIMIT = 100;

/** SentencePiece's rules, in Hugging Face's way: of the rules for a grapheme the shortest one, for all of it. */
function precompiled({ precompiled_charsmap: charsmap }: Json): Normalize {
  const rules = new Charsmap(Uint8Array.from(atob(String(charsmap ?? '')), (letter) => letter.charCodeAt(0)));
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const encoder = new TextEncoder();
  const written = (text: string) => rules.find(encoder.encode(text), 0, true)?.text;
  const grapheme = (text: string) => {
    const short = encoder.encode(text).length <= MAX_GRAPHEME_BYTES ? written(text) : undefined;
    return short ?? Array.from(text, (letter) => written(letter) ?? letter).join('');
  };
  return (text) => {
    let normalized = '';
    for (const { segment } of segmenter.segment(text)) {
      normalized += grapheme(segment);
      if (normalized.length > MAX_GROWTH_OF_RULES * text.length + MIN_LIMIT) {
        throw new TokenizerError(
          `The rules of the tokenizer.json make the text more than ${MAX_GROWTH_OF_RULES} times longer.`,
        );
      }
    }
    return normalized;
  };
}
