/** Labels in a model file. */

import { labelsFor, readModelMetadata } from 'tflite-webnn/metadata';

/** A model file has no labels. */
export class LabelsMissingError extends Error {
  override readonly name = 'LabelsMissingError';

  constructor() {
    super('The model file has no labels: the TFLite metadata of its first output names none.');
  }
}

/**
 * Reads the labels of a model's first output.
 *
 * @param model - The model file.
 * @returns Names by class index.
 * @throws LabelsMissingError if there are none.
 */
export async function readLabels(model: Uint8Array): Promise<readonly string[]> {
  const [output] = (await readModelMetadata(model))?.outputs ?? [];
  const labels = output === undefined ? null : labelsFor(output);
  if (labels === null) throw new LabelsMissingError();
  return labels;
}
