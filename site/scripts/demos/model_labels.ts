/** Labels in a model file: TFLite metadata appends a zip archive of text files. */

import { unzipSync } from 'fflate';

/** A model file has no labels. */
export class LabelsMissingError extends Error {
  override readonly name = 'LabelsMissingError';

  constructor() {
    super('The model file has no labels: its TFLite metadata contains no .txt file.');
  }
}

/**
 * Reads the labels of a classifier.
 *
 * @param model - The model file.
 * @returns Names by class index.
 * @throws LabelsMissingError if there are none.
 */
export function readLabels(model: Uint8Array): string[] {
  const attached = attachedTexts(model)[0];
  if (attached === undefined) throw new LabelsMissingError();
  return new TextDecoder().decode(attached).trimEnd().split(/\r?\n/);
}

function attachedTexts(model: Uint8Array): Uint8Array[] {
  try {
    return Object.values(unzipSync(model, { filter: ({ name }) => name.endsWith('.txt') }));
  } catch {
    return []; // no archive appended
  }
}
