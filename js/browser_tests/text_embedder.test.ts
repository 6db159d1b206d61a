/** Text embedders, compared with native LiteRT. */

import { cosineSimilarity, TextEmbedder } from 'tflite-webnn/language';
import { expect, it } from 'vitest';
import { addressOf, expectClose, nativeOf } from './fixtures.js';

interface Native {
  /** The ids of their tokens. */
  readonly sentences: Record<string, number[]>;
  readonly similarities: number[][];
}

it('vectors on WebNN are those of native LiteRT', async () => {
  const { sentences, similarities } = await nativeOf<Native>('sentence_encoder');
  const tokenizer = {
    // pieces are numbers
    tokenize: (sentence: string) => (sentences[sentence] ?? []).map(String),
    idOf: Number,
    unknownId: 0,
  };
  const options = { tokenizer, before: [], after: [], device: 'webnn' } as const;
  const embedder = await TextEmbedder.create(addressOf('sentence_encoder'), options);
  const vectors: Float32Array[] = [];
  for (const sentence of Object.keys(sentences)) vectors.push(await embedder.embed(sentence));
  const found = vectors.map((one) => vectors.map((other) => cosineSimilarity(one, other)));
  for (const [at, row] of found.entries()) expectClose(row, similarities[at] ?? [], 1e-5);
  const [same, longer, other] = (found[0] ?? []).slice(1) as [number, number, number];
  expect(same).toBeGreaterThan(0.999);
  expect(longer).toBeLessThan(0.999);
  expect(other).toBeLessThan(longer);
});
