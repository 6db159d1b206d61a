/** How similar two embeddings are. */

import { NUMBERS } from 'tflite-webnn/option_schema';
import { checkArguments, OptionError } from './result.js';
import { dot } from './unchecked.js';

/**
 * The cosine of the angle between two vectors: 1 for equal directions, -1 for opposite ones.
 *
 * @param embedding - A vector.
 * @param otherEmbedding - One by the same model and options.
 * @throws OptionError where their lengths differ, or one is empty or all zeros.
 */
export function cosineSimilarity(embedding: ArrayLike<number>, otherEmbedding: ArrayLike<number>): number {
  const provided = { embedding, otherEmbedding };
  checkArguments('cosineSimilarity', provided, { embedding: NUMBERS, otherEmbedding: NUMBERS });
  if (embedding.length !== otherEmbedding.length) {
    throw new OptionError(
      `The embeddings have ${embedding.length} and ${otherEmbedding.length} numbers: they are of different models.`,
    );
  }
  const lengths = Math.sqrt(dot(embedding, embedding)) * Math.sqrt(dot(otherEmbedding, otherEmbedding));
  if (lengths > 0) return dot(embedding, otherEmbedding) / lengths;
  throw new OptionError('An embedding is empty or all zeros: it has no direction.');
}
