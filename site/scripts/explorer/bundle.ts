/** Models in `.task` bundles, by paths: `hand_landmarker.task/hand_detector.tflite`. */

import type { TaskBundle } from 'tflite-webnn/metadata';

const MAX_ZEROS = 3;

const IS_READ = /\.(tflite|task)$/;
/** MediaPipe's bundles are two deep, and store their files. */
const MAX_DEPTH = 8;
const MAX_UNPACKED_BYTES = 2 ** 28;
/** Of a small bundle, and how often its size of others: a kilobyte may unpack to a megabyte, again and again. */
const [SMALL_UNPACKED_BYTES, MAX_RATIO] = [2 ** 24, 30];

/**
 * Models of a bundle and of those in it.
 *
 * @param sizeBytes - Of the bundle: it limits what is unpacked. What is stored is not copied.
 * @throws Error where bundles are too deep in each other, or unpack to too much.
 */
export async function modelsOf(bundle: TaskBundle, sizeBytes: number): Promise<Map<string, Uint8Array>> {
  const maxBytes = Math.min(MAX_UNPACKED_BYTES, SMALL_UNPACKED_BYTES + MAX_RATIO * sizeBytes);
  const models = new Map<string, Uint8Array>();
  let unpackedBytes = 0;
  const add = async (from: TaskBundle, path: string, depth: number): Promise<void> => {
    if (depth > MAX_DEPTH) throw new Error(`The bundle has bundles more than ${MAX_DEPTH} deep in each other.`);
    for (const { name, isCompressed, sizeBytes: unpacked } of from.files.filter((file) => IS_READ.test(file.name))) {
      unpackedBytes += isCompressed ? unpacked : 0;
      if (unpackedBytes > maxBytes) throw new Error(`The bundle unpacks to more than ${maxBytes} bytes.`);
      if (name.endsWith('.task')) await add(await from.open(name), `${path}${name}/`, depth + 1);
      else models.set(path + name, from.bytes(name));
    }
  };
  await add(bundle, '', 1);
  return models;
}

/** Whether a file is a bundle: zip archives begin with "PK", in MediaPipe's bundles after up to three zeros. */
export function isBundle(bytes: Uint8Array): boolean {
  const start = bytes.findIndex((byte) => byte !== 0);
  return start <= MAX_ZEROS && bytes[start] === 0x50 && bytes[start + 1] === 0x4b;
}
