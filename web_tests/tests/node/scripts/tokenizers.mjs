// @ts-check

/** Tokenizers, for test_tokenizers.py. */

import { readFile } from 'node:fs/promises';
import { load } from './package.mjs';

/** Tokenizes the texts of a file of JSON by its model of SentencePiece. -> the pieces and the ids of each text */
export async function tokenize(/** @type {string} */ file) {
  /** @type {typeof import('tflite-webnn/text')} */
  const { openTokenizer } = await load('text.mjs');
  /** @type {{ model: string, texts: string[] }} */
  const { model, texts } = JSON.parse(await readFile(file, 'utf8'));
  const tokenizer = await openTokenizer({ kind: 'sentencePiece', model: Buffer.from(model, 'base64') });
  return texts.map((text) => {
    const pieces = tokenizer.tokenize(text);
    return [pieces, pieces.map((piece) => tokenizer.idOf(piece) ?? tokenizer.unknownId)];
  });
}
