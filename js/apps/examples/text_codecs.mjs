// Text to tokens and back, for language_model.html: bytes, or a tokenizer.json with the package's text.mjs.

/** Each byte of the text is a token. */
export function byteCodec() {
  return {
    encode: (text) => [...new TextEncoder().encode(text)],
    decode: (ids) => new TextDecoder().decode(Uint8Array.from(ids)),
  };
}

/**
 * The tokenizer of a model of Hugging Face.
 *
 * @param {string} json - The text of tokenizer.json.
 */
export async function jsonCodec(json) {
  const { openTokenizer } = await import('../package/text.mjs');
  const tokenizer = await openTokenizer({ kind: 'tokenizer.json', json });
  const pieces = piecesOf(JSON.parse(json));
  return {
    encode: (text) => tokenizer.tokenize(text).map((piece) => tokenizer.idOf(piece) ?? tokenizer.unknownId),
    decode: (ids) => new TextDecoder().decode(Uint8Array.from(ids.flatMap((id) => bytesOf(pieces[id] ?? '')))),
  };
}

/** The pieces by their ids. */
function piecesOf({ model, added_tokens: added = [] }) {
  const { vocab } = model;
  const pieces = Array.isArray(vocab) ? vocab.map(([piece]) => piece) : [];
  if (!Array.isArray(vocab)) for (const [piece, id] of Object.entries(vocab)) pieces[id] = piece;
  for (const { id, content } of added) pieces[id] = content;
  return pieces;
}

/** GPT-2's letters for the bytes that are no printable ones; BPE over bytes spells its pieces with them. */
const LETTERS = byteLetters();

function byteLetters() {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const isShown = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  const hidden = bytes.filter((byte) => !isShown(byte));
  return new Map(bytes.map((byte) => [String.fromCharCode(isShown(byte) ? byte : 256 + hidden.indexOf(byte)), byte]));
}

/** The bytes that a piece stands for. */
function bytesOf(piece) {
  const fallback = /^<0x([0-9A-F]{2})>$/.exec(piece);
  if (fallback !== null) return [Number.parseInt(fallback[1], 16)];
  const letters = [...piece];
  if (letters.every((letter) => LETTERS.has(letter))) return letters.map((letter) => LETTERS.get(letter));
  return [...new TextEncoder().encode(piece.replaceAll('\u2581', ' '))];
}
