/** Bundles the scripts of the site, each into one file; they import the package next to them when they run. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { writeNotices } from './notices.mjs';
import { JS_DIR } from './options.mjs';

const SITE_DIR = resolve(JS_DIR, '../site');
const PACKAGE = '../package';
const OPTIONS = { absWorkingDir: JS_DIR, bundle: true, metafile: true, platform: 'browser', target: 'es2022', minify: true, logLevel: 'warning' };

/** Writes scripts/*.mjs, of pages and workers, the classic scripts/*.js with their notices, and the service worker. */
export async function buildSite(directory) {
  const outdir = join(directory, 'scripts');
  const module = {
    entryPoints: scriptsIn('scripts'),
    outdir,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    alias: packageAliases(),
    external: [`${PACKAGE}/*`],
  };
  const classic = { entryPoints: scriptsIn('classic_scripts'), outdir, format: 'iife' };
  // In the top directory, which is its scope.
  const serviceWorker = { entryPoints: scriptsIn('service_worker'), outdir: directory, format: 'iife' };
  const results = await Promise.all([module, classic, serviceWorker].map((options) => build({ ...OPTIONS, ...options })));
  writeNotices(outdir, results.map(({ metafile }) => metafile));
}

function scriptsIn(name) {
  const directory = join(SITE_DIR, name);
  return readdirSync(directory).filter((file) => file.endsWith('.ts')).map((file) => join(directory, file));
}

/** The exports of the package for pages, by its package.json. The code of metadata.mjs is index.mjs'. */
function packageAliases() {
  const { publishConfig } = JSON.parse(readFileSync(join(JS_DIR, 'packages/core/package.json'), 'utf8'));
  const scripts = Object.entries(publishConfig.exports).filter(([, row]) => row.default !== undefined);
  const aliases = scripts.map(([name, { default: row }]) => [`tflite-webnn${name.slice(1)}`, join(PACKAGE, row.default ?? row)]);
  const [metadata, worker] = [`${PACKAGE}/index.mjs`, `${PACKAGE}/model_worker.mjs`];
  return { ...Object.fromEntries(aliases), 'tflite-webnn/metadata': metadata, 'tflite-webnn/model_worker.mjs': worker };
}
