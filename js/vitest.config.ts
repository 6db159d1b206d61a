import { defineConfig } from 'vitest/config';

export default defineConfig({
  // esbuild bakes the packaged variants into the bundle (js/bundle.py); the tests run the source, with both there.
  define: { '__PACKAGED__.simd': 'true', '__PACKAGED__.relaxedSimd': 'true' },
  test: { include: ['runtime/tests/**/*.test.ts'], environment: 'node', testTimeout: 20_000 },
});
