import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import tsconfig from './tsconfig.base.json' with { type: 'json' };

const entries = Object.fromEntries(
  Object.entries(tsconfig.compilerOptions.paths)
    .filter(([name]) => name.startsWith('tflite-webnn/'))
    .map(([name, [file]]) => [name, fileURLToPath(new URL(file as string, import.meta.url))]),
);
const fakeModule = new URL('packages/compat-tfjs-tflite/tests/fakes/emscripten_module.ts', import.meta.url);

export default defineConfig({
  // esbuild defines the packaged variants (scripts/bundling/options.mjs); the tests run the source with all of them.
  define: {
    '__PACKAGED__.simd': '"sha256-0123456789ab"',
    '__PACKAGED__.relaxedSimd': '"sha256-1123456789ab"',
    '__PACKAGED__.simdThreads': '"sha256-2123456789ab"',
    '__PACKAGED__.relaxedSimdThreads': '"sha256-3123456789ab"',
    __WASM_EXPORTS__: '["m"]',
  },
  // scripts/bundling/options.mjs puts the built modules there.
  resolve: {
    alias: {
      'wasm-module/tflite_webnn.mjs': fileURLToPath(fakeModule),
      ...entries, // before the shorter name: an alias also matches what follows a slash
      'tflite-webnn': fileURLToPath(new URL('packages/tasks/tasks/tests/replaceable_loader.ts', import.meta.url)),
      'wasm-simd/tflite_webnn.mjs': fileURLToPath(fakeModule),
      'wasm-relaxed-simd/tflite_webnn.mjs': fileURLToPath(fakeModule),
      './index.mjs': fileURLToPath(new URL('packages/core/src/index.ts', import.meta.url)),
      './gpu_faults.mjs': fileURLToPath(new URL('packages/core/src/webnn/gpu_faults.ts', import.meta.url)),
      './custom_ops.mjs': fileURLToPath(new URL('packages/core/src/wasm/custom_ops.ts', import.meta.url)),
      './polyfill_gpu.mjs': fileURLToPath(new URL('packages/webnn-polyfill/src/tfjs/index.ts', import.meta.url)),
      // The site's scripts are outside this folder, where no node_modules is found.
      '@dagrejs/dagre': fileURLToPath(import.meta.resolve('@dagrejs/dagre')),
      fflate: fileURLToPath(import.meta.resolve('fflate')),
    },
  },
  test: {
    include: ['{tests,packages,apps,scripts}/**/*.test.ts', '../site/scripts/tests/**/*.test.ts'],
    environment: 'node',
    maxWorkers: availableParallelism(), // by default one less, which is half of two
    isolate: false, // files share the modules of their worker: a third of the time
    setupFiles: ['./clean_up.ts'],
    testTimeout: 20_000,
    sequence: { shuffle: true }, // each test runs in any order; pytest-randomly draws the seed
  },
});
