/** Names for classes. */

import type { TensorMetadata } from './model_metadata.js';

/**
 * Chooses the names of a tensor's classes.
 *
 * @group metadata.mjs
 * @param tensor - An output.
 * @param locale - Language, as in BCP 47. Without it, or where the file lacks it: names of no language, else the first ones.
 * @returns Names by index of the class; null where the file has none.
 */
export function labelsFor({ labels }: Pick<TensorMetadata, 'labels'>, locale?: string): readonly string[] | null {
  const wanted = labels.find((row) => locale !== undefined && row.locale === locale);
  const neutral = labels.find((row) => row.locale === null);
  return (wanted ?? neutral ?? labels[0])?.names ?? null;
}
