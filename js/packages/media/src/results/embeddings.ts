/** Embeddings: their direction, and how similar two are. */

import { checkArguments, OptionError } from 'tflite-webnn';
import { NUMBERS } from 'tflite-webnn/argument_kinds';

/**
 * The cosine of the angle between two vectors: 1 for equal directions, -1 for opposite ones.
 *
 * @param embedding - A vector.
 * @param otherEmbedding - One by the same model and options.
 * @throws OptionError where their lengths differ, or one is empty or all zeros.
 */
export function cosineSimilarity(embedding: ArrayLike<number>, otherEmbedding: ArrayLike<number>): number {
  const given = { embedding, otherEmbedding };
  checkArguments('cosineSimilarity', given, { embedding: NUMBERS, otherEmbedding: NUMBERS });
  if (embedding.length !== otherEmbedding.length) {
    throw new OptionError(
      `The embeddings have ${embedding.length} and ${otherEmbedding.length} numbers: they are of different models.`,
    );
  }
  const lengths = Math.sqrt(dot(embedding, embedding)) * Math.sqrt(dot(otherEmbedding, otherEmbedding));
  if (lengths > 0) return dot(embedding, otherEmbedding) / lengths;
  throw new OptionError('An embedding is empty or all zeros: it has no direction.');
}

/** @internal A vector divided by its length; one of zeros stays. */
export function unitVector(vector: ArrayLike<number>): number[] {
  const values = Array.from(vector);
  const length = Math.sqrt(dot(values, values));
  return length > 0 ? values.map((value) => value / length) : values;
}

function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] as number) * (other[index] as number);
  return sum;
}
