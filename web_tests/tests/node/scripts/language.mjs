// @ts-check

/** Text generators and embedders, for test_language.py. */

import { readFile } from 'node:fs/promises';
import { load } from './package.mjs';

/** @type {typeof import('tflite-webnn/language')} */
const { TextEmbedder, TextGenerator } = await load('node/language.mjs');
/** @type {typeof import('tflite-webnn/text')} */
const { openTokenizer } = await load('node/text.mjs');

/** @param {string} pieces a file of SentencePiece */
const tokenizerOf = async (pieces) => openTokenizer({ kind: 'sentencePiece', model: await readFile(pieces) });

/** @param {string} file @param {string} pieces @param {string} prompt @param {number} maxTokens */
export async function generate(file, pieces, prompt, maxTokens) {
  const tokenizer = await tokenizerOf(pieces);
  const generator = await TextGenerator.create(await readFile(file), { tokenizer, eos: [] });
  let text = '';
  for await (const piece of generator.generate(prompt, { maxTokens })) text += piece;
  const { promptTokens } = generator.usage;
  await generator.dispose();
  return { text, promptTokens };
}

/** @param {string} file @param {string} pieces @param {string} text */
export async function embed(file, pieces, text) {
  const embedder = await TextEmbedder.create(await readFile(file), { tokenizer: await tokenizerOf(pieces) });
  const vector = await embedder.embed(text);
  await embedder.dispose();
  return [...vector];
}
