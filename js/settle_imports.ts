/** Files share a worker, and one that ends loses the scripts that it still loads: those hang for all files after it. */

import { afterAll, vi } from 'vitest';

afterAll(() => vi.dynamicImportSettled());
