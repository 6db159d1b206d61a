/** Options that the client of tfjs-tflite does not pass on, but its messages have. */

import { type ClassOptions, classFilter } from '@tflite-webnn/media/results/unchecked';
import { expect, it } from 'vitest';
import { allowedClasses, checkClassOptions, labelsOf } from '../src/tasks/task_options.js';

const LABELS = ['cat', 'dog', 'bird'].map((name) => ({ name, displayName: '' }));

function options(allowed: readonly string[], excluded: readonly string[] = []) {
  return { getClassNameWhitelistList: () => allowed, getClassNameBlacklistList: () => excluded };
}

it('returns classes of the one list, and none of the other; unknown names are ignored', () => {
  const labels = LABELS.map(({ name }) => name);
  const names = (allowed: ClassOptions) => {
    const counts = classFilter({ ...allowed, labels });
    return labels.filter((_, index) => counts(index));
  };
  expect(names(allowedClasses(options([]), LABELS))).toEqual(['cat', 'dog', 'bird']);
  expect(names(allowedClasses(options(['dog', 'fish']), LABELS))).toEqual(['dog']);
  expect(names(allowedClasses(options([], ['dog']), LABELS))).toEqual(['cat', 'bird']);
});

it('rejects names of which none is known, and both lists', () => {
  expect(() => allowedClasses(options(['fish']), LABELS)).toThrow(
    "INVALID_ARGUMENT: Invalid class names specified via `class_name_whitelist`: none match with model labels. [tflite::support::TfLiteSupportStatus='2']",
  );
  expect(() => checkClassOptions(options(['cat'], ['dog']))).toThrow(/mutually exclusive/);
});

it('shows names in the language that is requested', () => {
  const labels = [
    { locale: null, of: 'axis', file: 'labels.txt', names: ['cat', 'dog'] },
    { locale: 'de', of: 'axis', file: 'labels_de.txt', names: ['Katze', 'Hund'] },
  ] as const;
  const tensor = { labels } as unknown as Parameters<typeof labelsOf>[0];
  expect(labelsOf(tensor, 'axis', 'de')[1]).toEqual({ name: 'dog', displayName: 'Hund' });
  expect(labelsOf(tensor, 'axis', 'en')[1]).toEqual({ name: 'dog', displayName: '' });
  expect(labelsOf(tensor, 'value', 'de')).toEqual([]);
  expect(labelsOf(null, 'axis', 'de')).toEqual([]);
});
