/** esbuild's options for each kind of script. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CUSTOM_OPS,
  EMBEDDED_VARIANT,
  EXPORTS,
  GPU_ENGINES,
  GPU_BUGS,
  NODE_SCRIPTS,
  ON_DEMAND,
  VARIANT_FLAGS,
  VARIANTS,
} from './scripts.mjs';

export const JS_DIR = fileURLToPath(new URL('../..', import.meta.url));
const CLASSIC_SCRIPT_URL = 'packages/core/src/classic_script_url.ts';
const WORKLET_GLOBALS = 'packages/cpu/src/worklet_globals.ts';
/**
 * TensorFlow.js keeps its engine and kernels in globals, which all its copies in a page share. The polyfill's copy
 * renames them: the page's backend is unchanged, and versions do not collide.
 */
const TFJS_GLOBALS = 'packages/webnn-polyfill/src/tfjs/globals.json';
const TFJS_UTIL = 'packages/webnn-polyfill/src/tfjs/node_util.ts';
/** Emscripten's part of a module calls the module's exports by these names. */
const EXPORT_OF_WASM = /=wasmExports\["([^"]+)"\]\)\(/g;

/** An import() of a file next to the script. */
const RELATIVE_IMPORT = /\bimport\('(\.\/[^']+\.mjs)'\)/g;
/**
 * Browsers resolve no relative import() of a classic script from another origin whose tag lacks `crossorigin`, or that
 * importScripts() has loaded.
 */
const IMPORTS_BY_ADDRESS = { name: 'imports-by-address', setup: ({ onLoad }) => onLoad({ filter: /\.ts$/ }, byAddress) };

function byAddress({ path }) {
  const contents = readFileSync(path, 'utf8').replace(RELATIVE_IMPORT, "import(new URL('$1', import.meta.url).href)");
  return { contents, loader: 'ts' };
}

/** Scripts import each other at run time, so that they share one set of error classes. */
const SHARED_SCRIPTS = {
  name: 'shared-scripts',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^@?tflite-webnn(\/|$)/ }, ({ path }) => EXPORTS[path] && { path: `./${EXPORTS[path]}`, external: true }),
};

/**
 * Leaves what index.mjs and metadata.mjs load on demand to its own scripts, which import them: parts by esbuild would
 * share a third.
 */
const BY_OWN_SCRIPTS = {
  name: 'by-own-scripts',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\.js$/ }, ({ kind, path }) => {
      const script = kind === 'dynamic-import' && ON_DEMAND[basename(path)];
      return script ? { path: `./${script}`, external: true } : undefined;
    }),
};

/** A script in one file contains what index.mjs loads: a dynamic import of it would wrap each of its sources. */
const METADATA_INSIDE = {
  name: 'metadata-inside',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]metadata_on_demand\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8').replace('import type * as Readers', 'import * as Readers');
      return { contents: source.replace("import('./read_files.js')", 'Promise.resolve(Readers)'), loader: 'ts' };
    }),
};

/** Where Emscripten's JavaScript part names itself, for threads, and the module, which this package loads itself. */
const OWN_SCRIPT = /new URL\("tflite_webnn\.mjs",\s*import\.meta\.url\)/g;
const OWN_MODULE = /new URL\("tflite_webnn\.wasm",\s*import\.meta\.url\)\.href/g;

/** Bundlers look for the files that a script names: the variants' parts inside it name those next to it only. */
const PARTS_INSIDE = {
  name: 'parts-inside',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]tflite_webnn\.mjs$/ }, ({ path }) => {
      const own = `new URL("./${basename(dirname(path))}/tflite_webnn.mjs",import.meta.url)`;
      return { contents: readFileSync(path, 'utf8').replace(OWN_SCRIPT, own).replace(OWN_MODULE, '""') };
    }),
};

/**
 * Puts the JavaScript parts of the variants into a worker's script, and leaves the search for bugs and the custom ops
 * files: bundlers create one script of a worker, and reject one with parts.
 */
function inOneScript(wasmDir) {
  const partOf = (variant) => join(wasmDir, variant, 'tflite_webnn.mjs');
  return {
    name: 'in-one-script',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^\.\/[\w-]+\/tflite_webnn\.mjs$/ }, ({ path }) => {
        const file = partOf(path.split('/')[1]);
        const isSame = (variant) => existsSync(partOf(variant)) && readFileSync(partOf(variant)).equals(readFileSync(file));
        return { path: partOf(VARIANTS.find(isSame)) };
      });
      onLoad({ filter: /[/\\](context_losses|load_custom_ops)\.ts$/ }, byAddress);
    },
  };
}

/** Has a script import from another one the modules of which that file exports values. */
function importsFrom(script, file) {
  const text = readFileSync(join(JS_DIR, file), 'utf8');
  const paths = Array.from(text.matchAll(/^export {[^}]*} from '(.+)\.js';/gm), ([, path]) => `${path}.ts`);
  const shared = new Set(paths.map((path) => join(JS_DIR, dirname(file), path)));
  return {
    name: 'imports-from',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) => {
        const source = join(resolveDir, path.replace(/\.js$/, '.ts'));
        return shared.has(source) ? { path: script, external: true } : undefined;
      });
    },
  };
}

const COMMON = { absWorkingDir: JS_DIR, bundle: true, metafile: true, logLevel: 'warning' };
const NEUTRAL = { platform: 'neutral', mainFields: ['module', 'main'] };

/** Options for a script of PACKAGE_SCRIPTS or OTHER_SCRIPTS, next to these variants; `wasmDir` has the modules. */
export function scriptOptions(script, { variants: built, directory, wasmDir }) {
  const variants = built.filter((variant) => script.variants?.includes(variant) ?? true);
  const embedding = script.embedded ? embeddingOptions(wasmDir) : {};
  const inject = [...(script.classic ? [CLASSIC_SCRIPT_URL] : []), ...(script.worklet ? [WORKLET_GLOBALS] : [])];
  return {
    ...COMMON,
    ...(script.split ? splittingOptions(script, directory) : singleFile(script, directory)),
    ...(script.classic ? { format: 'iife', globalName: script.globalName } : { format: 'esm' }),
    ...(script.tfjs ? tfjsOptions() : NEUTRAL),
    define: {
      ...packageConstants(script.embedded ? [] : variants, wasmDir),
      __FOR_NODE__: 'undefined',
      ...embedding.define,
      ...(script.classic && { 'import.meta.url': 'classicScriptUrl' }),
      // If there is a `process`, Emscripten's part imports Node's modules, and cannot start synchronously.
      ...(script.embeddedVariants && { process: 'undefined' }),
    },
    alias: {
      ...embedding.alias,
      ...variantAliases(script.embeddedVariants ?? [], wasmDir),
      ...(script.tfjs && { util: join(JS_DIR, TFJS_UTIL) }),
    },
    external: [...loadedAtRunTime(), ...(script.embeddedVariants ? ['module'] : [])],
    inject: inject.map((file) => join(JS_DIR, file)),
    // In a module, as import() loads it, `var` creates no global.
    ...(script.globalName && { footer: { js: `globalThis.${script.globalName}=${script.globalName};` } }),
    plugins: [
      // A script without a file next to it contains what it imports of the package.
      script.embedded ? PARTS_INSIDE : SHARED_SCRIPTS,
      script.onDemand ? BY_OWN_SCRIPTS : METADATA_INSIDE,
      ...(script.classic && !script.embeddedVariants ? [IMPORTS_BY_ADDRESS] : []),
      ...(script.isWorker ? [inOneScript(wasmDir), PARTS_INSIDE] : []),
      ...(script.importsFrom ? [importsFrom(...script.importsFrom)] : []),
    ],
    target: 'es2022',
    minify: true,
    sourcemap: script.sourceMap ?? true,
  };
}

/**
 * Options for all NODE_SCRIPTS. They are not minified: Node prints the line of an uncaught error, and the stack's names
 * are those of the sources.
 */
export function nodeOptions({ variants, directory, wasmDir }) {
  return {
    ...COMMON,
    ...NEUTRAL,
    entryPoints: Object.fromEntries(Object.entries(NODE_SCRIPTS).map(([name, entry]) => [name, join(JS_DIR, entry)])),
    outdir: directory,
    splitting: true,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    define: { ...packageConstants(variants, wasmDir), __FOR_NODE__: 'true' },
    external: loadedAtRunTime(),
    target: 'node20',
    sourcemap: true,
  };
}

/** Options for a script of a test: a module for Node, or a classic script whose exports are a global with its name. */
export function testOptions(entry, outfile, { variants, wasmDir }) {
  const forNode = {
    platform: 'node',
    format: 'esm',
    // TensorFlow.js calls require() in Node.
    banner: { js: "import { createRequire } from 'node:module'; var require = createRequire('/');" },
  };
  return {
    ...COMMON,
    entryPoints: [entry],
    outfile,
    ...(extname(outfile) === '.mjs' ? forNode : { format: 'iife', globalName: parse(outfile).name }),
    define: packageConstants(variants, wasmDir),
    external: loadedAtRunTime(),
  };
}

/** The version, and the integrity of the modules that lie next to a script. */
function packageConstants(variants, wasmDir) {
  const hashes = Object.entries(VARIANT_FLAGS).map(([variant, flag]) => [
    flag,
    JSON.stringify(variants.includes(variant) && moduleIntegrity(join(wasmDir, variant))),
  ]);
  const { version } = JSON.parse(readFileSync(join(JS_DIR, 'packages/core/package.json'), 'utf8'));
  return { ...Object.fromEntries(hashes), __VERSION__: JSON.stringify(version) };
}

function moduleIntegrity(directory) {
  const module = readFileSync(join(directory, 'tflite_webnn.wasm'));
  return `sha256-${createHash('sha256').update(module).digest('base64')}`;
}

/** Files next to a script that it loads at run time. */
function loadedAtRunTime() {
  const names = [...VARIANTS.map((variant) => `${variant}/*`), ...Object.values(EXPORTS)];
  return [...new Set(names), 'polyfill.mjs', GPU_ENGINES, GPU_BUGS, CUSTOM_OPS].map((name) => `./${name}`);
}

function variantAliases(variants, wasmDir) {
  return Object.fromEntries(variants.map((variant) => [`wasm-${variant}`, join(wasmDir, variant)]));
}

function embeddingOptions(wasmDir) {
  const directory = join(wasmDir, EMBEDDED_VARIANT);
  const script = readFileSync(join(directory, 'tflite_webnn.mjs'), 'utf8');
  const exported = new Set(Array.from(script.matchAll(EXPORT_OF_WASM), ([, name]) => name));
  return {
    alias: { 'wasm-module': directory },
    define: { __WASM_EXPORTS__: JSON.stringify([...exported].sort()) },
  };
}

function singleFile({ name, entry }, directory) {
  return { entryPoints: [join(JS_DIR, entry)], outfile: join(directory, name) };
}

function splittingOptions({ name, entry }, directory) {
  const stem = parse(name).name;
  return {
    entryPoints: { [stem]: join(JS_DIR, entry) },
    outdir: directory,
    splitting: true,
    entryNames: '[name]',
    chunkNames: `${stem}-[name]-[hash]`,
    outExtension: { '.js': '.mjs' },
  };
}

function tfjsOptions() {
  const mangleCache = JSON.parse(readFileSync(join(JS_DIR, TFJS_GLOBALS), 'utf8'));
  return {
    // For browsers, its packages name the Node modules to leave out there.
    platform: 'browser',
    mainFields: ['browser', 'module', 'main'],
    mangleProps: new RegExp(`^(${Object.keys(mangleCache).join('|')})$`),
    mangleCache,
  };
}
