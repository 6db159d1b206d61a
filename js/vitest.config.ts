import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import tsconfig from '../site/tsconfig.json' with { type: 'json' };

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const fakeModule = fileOf('packages/compat-tfjs-tflite/tests/fakes/emscripten_module.ts');
// The site's scripts are outside this directory, where no node_modules is found.
const entriesOfSite = Object.entries(tsconfig.compilerOptions.paths)
  .filter(([name]) => name.startsWith('tflite-webnn/'))
  .map(([name, [file]]) => ({ find: new RegExp(`^${name}$`), replacement: fileOf(`../site/${file}`) }));
const packagesOfSite = ['@dagrejs/dagre', 'fflate', 'wasm-feature-detect'].map((find) => ({
  find,
  replacement: fileURLToPath(import.meta.resolve(find)),
}));

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
    alias: [
      ...entriesOfSite,
      ...packagesOfSite,
      { find: /^tflite-webnn$/, replacement: fileOf('packages/core/tests/fakes/replaceable_loader.ts') },
      { find: /^wasm-(module|simd|relaxed-simd)\/tflite_webnn\.mjs$/, replacement: fakeModule },
      { find: './index.mjs', replacement: fileOf('packages/core/src/index.ts') },
      { find: './gpu_bugs.mjs', replacement: fileOf('packages/core/src/webnn/gpu_bugs.ts') },
      { find: './custom_ops.mjs', replacement: fileOf('packages/core/src/wasm/custom_ops.ts') },
      { find: './polyfill_gpu.mjs', replacement: fileOf('packages/webnn-polyfill/src/tfjs/index.ts') },
    ],
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
