/** Names for classes. */

import { listOf, OBJECT, optional, TEXT } from '../argument_kinds.js';
import { checkArguments } from '../support/option_check.js';
import type { TensorMetadata } from './model_metadata.js';

/**
 * Chooses the names of a tensor's classes.
 *
 * @group metadata.mjs
 * @param tensor - An output.
 * @param locale - Language, as in BCP 47. Without it, or where the file lacks it: names of no language, else the first ones.
 * @throws OptionError
 * @returns Names by index of the class; null where the file has none.
 */
export function labelsFor(tensor: Pick<TensorMetadata, 'labels'>, locale?: string): readonly string[] | null {
  const kinds = { tensor: { labels: listOf(OBJECT) }, locale: optional(TEXT) };
  checkArguments('labelsFor', { tensor, locale }, kinds);
  const { labels } = tensor;
  const wanted = labels.find((row) => locale !== undefined && row.locale === locale);
  const neutral = labels.find((row) => row.locale === null);
  return (wanted ?? neutral ?? labels[0])?.names ?? null;
}
