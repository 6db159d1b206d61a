import { expect, it, vi } from 'vitest';
import { openTaskBundle, readModelMetadata, WasmLoadError } from '../src/index.js';

vi.mock('../src/load/read_files.js', () => {
  throw new TypeError('import() is disallowed on ServiceWorkerGlobalScope');
});

it.each([
  ['readModelMetadata()', readModelMetadata],
  ['openTaskBundle()', openTaskBundle],
])('%s says what service workers import, which cannot load scripts on demand', async (_, read) => {
  const reading = read(new Uint8Array(8));
  await expect(reading).rejects.toThrow(WasmLoadError);
  await expect(reading).rejects.toThrow('import tflite-webnn/metadata there');
});
