/** The tests of the built package in a browser with WebNN: `npm run test:browser`. */

import { createReadStream, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import '@vitest/browser/providers/playwright';
import { defineConfig, type Plugin } from 'vitest/config';
import { commands } from './browser_tests/commands.js';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const {
  TFLITE_WEBNN_BROWSER: executablePath,
  TFLITE_WEBNN_BROWSER_FLAGS:
    flags = '--no-sandbox --enable-features=WebMachineLearningNeuralNetwork --ignore-gpu-blocklist',
} = process.env;
if (!executablePath) throw new Error('TFLITE_WEBNN_BROWSER is the path of a Chromium with WebNN: it is not set');

const DIRECTORIES = {
  '/package/': fileOf('../build/package/'),
  '/fixtures/': fileOf('../build/browser_tests/'),
  '/examples/': fileOf('apps/examples/'),
  '/pages/': fileOf('../web_tests/pages/'),
};
const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.html': 'text/html',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
};
// Shared memory, and with it threads and blocking mode, need an isolated page.
const HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The file of DIRECTORIES at an address; null for what is Vite's. */
function fileAt(address: string): string | null {
  const { pathname } = new URL(address, 'http://localhost');
  const [prefix, directory] = Object.entries(DIRECTORIES).find(([one]) => pathname.startsWith(one)) ?? ['', null];
  return directory && join(directory, decodeURIComponent(pathname.slice(prefix.length)));
}

/** Serves DIRECTORIES as they are, and has the tests import their scripts from there, unchanged by Vite. */
function builtFiles(): Plugin {
  return {
    name: 'tflite-webnn:built-files',
    enforce: 'pre',
    resolveId(id, importer) {
      if (importer?.includes('/js/packages/')) return null; // sources
      const [, entry = 'index'] = /^tflite-webnn(?:\/(.+))?$/.exec(id) ?? [id, null];
      if (entry !== null) return { id: `/package/${entry}.mjs`, external: true };
      const [, directory, script] = /\/(?:apps|web_tests)\/(examples|pages)\/(.+\.mjs)$/.exec(id) ?? [];
      return script && { id: `/${directory}/${script}`, external: true };
    },
    transform: (code, id) => (id.endsWith('.idl') ? `export default ${JSON.stringify(code)};` : null),
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
        const file = fileAt(request.url ?? '/');
        if (file === null) return next();
        const stat = statSync(file, { throwIfNoEntry: false });
        if (!stat?.isFile()) {
          response.statusCode = 404;
          return response.end('not found');
        }
        response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
        response.setHeader('Content-Length', stat.size);
        response.setHeader('Cache-Control', 'no-store');
        createReadStream(file).pipe(response);
      });
    },
  };
}

export default defineConfig({
  plugins: [builtFiles()],
  cacheDir: fileOf('../build/vitest_browser'),
  server: { preTransformRequests: false, fs: { allow: [fileOf('..')] } },
  optimizeDeps: {
    noDiscovery: true, // the built files are none of Vite's
    include: ['ajv/dist/2020.js', 'comlink', '@tensorflow/tfjs-backend-cpu', '@tensorflow/tfjs-core', 'webidl2'],
  },
  test: {
    include: ['browser_tests/**/*.test.ts'],
    testTimeout: 120_000, // a busy machine
    hookTimeout: 120_000,
    sequence: { shuffle: true },
    fileParallelism: false, // tests of timers, and a context that is lost is lost for all pages
    browser: {
      enabled: true,
      provider: 'playwright',
      headless: true,
      screenshotFailures: false,
      commands,
      instances: [{ browser: 'chromium', launch: { executablePath, args: flags.split(' ') } }],
    },
  },
});
