/** The site requests the wasm module before the package has chosen it. */

import { expect, it, vi } from 'vitest';
import { chooseVariant, defaultThreadCount } from '../../../js/packages/core/src/wasm/wasm_variants.js';

const CHOICES = [false, true];
const CASES = CHOICES.flatMap((relaxedSimd) =>
  CHOICES.flatMap((threads) => [1, 2, 3, 4, 5, 8].map((processors) => ({ relaxedSimd, threads, processors }))),
);

it('the module that workers of the site request early is the one that the package loads', async () => {
  vi.doMock('../common/watch_module.js', () => ({ fetchAhead: vi.fn() }));
  const { moduleVariant } = await import('../common/early_worker.js');
  vi.doUnmock('../common/watch_module.js');
  for (const { relaxedSimd, threads, processors } of CASES) {
    vi.stubGlobal('navigator', { hardwareConcurrency: processors });
    const chosen = chooseVariant('auto', { simd: true, relaxedSimd, threads }, defaultThreadCount());
    expect(moduleVariant(relaxedSimd, threads, processors), `${processors} processors`).toBe(chosen);
  }
});
