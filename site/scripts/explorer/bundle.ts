/** Models in `.task` bundles, by paths: `hand_landmarker.task/hand_detector.tflite`. */

import type { TaskBundle } from 'tflite-webnn/metadata';

const MOST_ZEROS = 3;

/** Models of a bundle and of those in it. */
export async function modelsOf(bundle: TaskBundle): Promise<Map<string, Uint8Array>> {
  const models = new Map(bundle.models.map((name) => [name, bundle.bytes(name)]));
  for (const name of bundle.bundles) {
    for (const [path, bytes] of await modelsOf(await bundle.open(name))) models.set(`${name}/${path}`, bytes);
  }
  return models;
}

/** Whether a file is a bundle: zip archives begin with "PK", in MediaPipe's bundles after up to three zeros. */
export function isBundle(bytes: Uint8Array): boolean {
  const start = bytes.findIndex((byte) => byte !== 0);
  return start <= MOST_ZEROS && bytes[start] === 0x50 && bytes[start + 1] === 0x4b;
}
