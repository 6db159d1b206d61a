/** Tests on the real wasm module, which `build.py build`, or `npm test` from TFLITE_WEBNN_PREBUILT, puts into build/wasm. */

import { existsSync } from 'node:fs';
import { describe, it } from 'vitest';

export const wasmDirectory = new URL('../build/wasm/', import.meta.url);
/** Options that load the module. */
export const WASM = { wasmPath: wasmDirectory.href, variant: 'simd' } as const;

const script = new URL('simd/tflite_webnn.mjs', wasmDirectory);

/** A suite that needs the module: without one it is skipped, and says so; with CI=true it fails. */
export function describeOnModule(name: string, tests: () => void): void {
  if (existsSync(script)) {
    describe(name, tests);
    return;
  }
  const reason = `there is no ${script.pathname}: run python3 build.py build, or set TFLITE_WEBNN_PREBUILT and run npm test`;
  if (process.env.CI === 'true') {
    it(name, () => {
      throw new Error(reason);
    });
    return;
  }
  console.warn(`skipped "${name}": ${reason}`);
  describe.skip(name, tests);
}
