/** Models in `.task` bundles, by paths: `hand_landmarker.task/hand_detector.tflite`. */

import type { TaskBundle } from 'tflite-webnn/metadata';

/** Models of a bundle and of those in it. */
export async function modelsOf(bundle: TaskBundle): Promise<Map<string, Uint8Array>> {
  const models = new Map(bundle.models.map((name) => [name, bundle.bytes(name)]));
  for (const name of bundle.bundles) {
    for (const [path, bytes] of await modelsOf(await bundle.open(name))) models.set(`${name}/${path}`, bytes);
  }
  return models;
}

/** Whether a file is a bundle: zip archives begin with "PK". */
export function isBundle(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}
