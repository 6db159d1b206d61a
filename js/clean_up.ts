/** What every test and file leaves behind. */

import { afterAll, afterEach, vi } from 'vitest';

// Not by vitest's options, which restore before the next test: hooks in between would run with the mocks.
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

// Files share a worker, and one that ends loses the scripts that it still loads: those hang for all files after it.
afterAll(() => vi.dynamicImportSettled());
