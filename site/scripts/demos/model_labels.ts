/** Labels that a model file carries: TFLite's metadata puts text files into a zip archive at the file's end. */

import { unzipSync } from 'fflate';

/** A file says nothing of its classes. */
export class LabelsMissingError extends Error {
  override readonly name = 'LabelsMissingError';

  constructor() {
    super('The model file carries no labels: no .txt file is attached to it as TFLite metadata.');
  }
}

/**
 * Reads the labels of a classifier.
 *
 * @param model - The model file.
 * @returns Names by class index.
 * @throws LabelsMissingError where there are none.
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
    return []; // no archive at the end
  }
}
