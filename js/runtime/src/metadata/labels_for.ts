/** Names for classes. */

import { checkArguments, having, type Kind, listOf, optional, TEXT } from '../support/option_check.js';
import type { TensorMetadata } from './model_metadata.js';

const LOCALE: Kind = ['null or a string', (value) => value === null || TEXT[1](value)];

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
  const kinds = { tensor: { labels: listOf(having({ locale: LOCALE, names: listOf(TEXT) })) }, locale: optional(TEXT) };
  checkArguments('labelsFor', { tensor, locale }, kinds);
  const { labels } = tensor;
  const wanted = labels.find((row) => locale !== undefined && row.locale === locale);
  const neutral = labels.find((row) => row.locale === null);
  return (wanted ?? neutral ?? labels[0])?.names ?? null;
}
