/** Contexts, graphs and tensors that a test leaves behind. */

import { afterEach, beforeEach, expect, vi } from 'vitest';
import { end, heldCount, watch } from '../../web_tests/pages/fault_injection.mjs';

/** After each test of the file, every context, graph and tensor is destroyed; then injected faults are undone. */
export function expectNothingHeld(): void {
  beforeEach(watch);
  afterEach(async () => {
    // An abort discards asynchronously.
    await vi
      .waitFor(() => expect(heldCount(), 'contexts, graphs or tensors that are not destroyed').toBe(0), 20_000)
      .finally(end);
  });
}
