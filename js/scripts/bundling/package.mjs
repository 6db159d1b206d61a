/**
 * Writes the package:
 *
 * - index.mjs: the bundled runtime, with its source map
 * - tflite_webnn.js: the same as a classic script, which sets the global `tfliteWebnn`
 * - metadata.mjs: the readers of metadata and .task bundles alone; metadata-*.mjs unpacks compressed files
 * - node/: the same scripts for Node, not minified; node.mjs: index.mjs for Node, with files as models
 * - worker.mjs: TFLiteWorker, which starts model_worker.mjs; it imports index.mjs
 * - model_worker.mjs: its worker
 * - image.mjs: images as inputs of models
 * - results.mjs: what outputs mean; it imports index.mjs, as image.mjs does
 * - sound.mjs: sound as inputs of models
 * - text.mjs: tokenizers, and text as inputs of models; text-*.mjs: the tokenizers' library, loaded with the first one
 * - tasks.mjs: classifier, detector and segmenter of images; it imports these three
 * - language.mjs: text embedder and text generator; it imports tasks.mjs
 * - litert.mjs: the API of LiteRT.js; it imports index.mjs
 * - tfjs.mjs: models on tensors of TensorFlow.js; it imports index.mjs
 * - vision.mjs: the API of MediaPipe's vision tasks; it imports index.mjs, and what the tasks do
 * - explain.mjs: for tools: explanations without a browser, export of graphs
 * - cpu.mjs: TFLite on the CPU in one script, without promises, for service workers, AudioWorklets and extensions
 * - tflite_cpu.js: the same as a classic script, which sets the global `tfliteCpu`
 * - webnn_helper.mjs: the worker of blocking mode
 * - gpu_faults.mjs: the search for the node that ended the browser's GPU process, loaded on demand
 * - custom_ops.mjs: what runs custom ops in JavaScript, loaded on demand
 * - polyfill.mjs: the polyfill of WebNN; polyfill_worker.mjs: its worker
 * - polyfill_gpu.mjs: its GPU engines, loaded on demand
 * - webnn_polyfill.js: the same as a classic script, which installs itself and sets the global `webnnPolyfill`
 * - ENTRY.d.mts: the types of each entry (types/ has one file per module); node/ENTRY.d.mts: those of the script for Node
 * - tfjs-tflite/: the drop-in for @tensorflow/tfjs-tflite: its tflite_web_api_cc*.js and their shared module
 * - <variant>/: the wasm module of each built variant
 * - package.json, README.md, LICENSE
 *
 * Without the variant `simd` it lacks the scripts that contain its JavaScript part: cpu.mjs, tflite_cpu.js, tfjs-tflite/.
 * js/bundle.py adds what else is published.
 */

import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, parse } from 'node:path';
import { promisify } from 'node:util';
import { minify } from '@swc/core';
import { build } from 'esbuild';
import { JS_DIR, nodeOptions, scriptOptions } from './options.mjs';
import {
  DROP_IN,
  EMBEDDED_VARIANT,
  GPU_ENGINES,
  GPU_FAULTS,
  HELPER,
  NODE_SCRIPTS,
  NODE_TYPES,
  PACKAGE_SCRIPTS,
  TYPES,
  VARIANTS,
} from './scripts.mjs';

const ARTEFACTS = ['tflite_webnn.mjs', 'tflite_webnn.wasm', 'manifest.json'];
const COPIED = ['packages/core/package.json', 'packages/core/README.md', '../LICENSE'];
/** js/bundle.py writes it when the package is complete. */
const STAMP = '.stamp';
/** For importing the package in Node by its path. */
const NODE_ENTRY_TEXT = "export * from './node/node.mjs';\n";
const IMPORT_OF_ADDRESS = /\bimport\(((?:\w+|new URL\([^()]*\))\.\s*href)\)/g;
const OF_DIRECTORY_ABOVE = new RegExp(`(["'])\\./((?:${VARIANTS.join('|')})/|${GPU_ENGINES.replace('.', '\\.')})`, 'g');

/** Writes `root`/package from the modules in `root`/wasm; returns the bundled source files. */
export async function buildPackage(root) {
  const directory = join(root, 'package');
  const wasmDir = join(root, 'wasm');
  const target = { variants: builtVariants(wasmDir), directory, wasmDir };
  mkdirSync(directory, { recursive: true });
  rmSync(join(directory, STAMP), { force: true });
  const sources = await Promise.all([bundleScripts(target), bundleForNode(target), writeTypes(directory)]);
  copyVariants(target);
  if (target.variants.includes(EMBEDDED_VARIANT)) completeDropIn(directory);
  for (const file of COPIED) copyFileSync(join(JS_DIR, file), join(directory, basename(file)));
  return [...new Set(sources.flat())].sort();
}

/** The variants whose artefacts are complete. */
export function builtVariants(wasmDir) {
  return VARIANTS.filter((variant) => ARTEFACTS.every((name) => existsSync(join(wasmDir, variant, name))));
}

/** The source files that scripts contain, from esbuild's metadata. */
export function sourcesOf({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([name]) => join(JS_DIR, name));
}

/** Gives the drop-in its other script names, its module and the helper's scripts. */
export function completeDropIn(directory) {
  const dropIn = join(directory, DROP_IN.directory);
  const [script, ...others] = DROP_IN.scripts.map((name) => join(dropIn, name));
  for (const other of others) copyFileSync(script, other);
  copyFileSync(join(directory, EMBEDDED_VARIANT, 'tflite_webnn.wasm'), join(dropIn, DROP_IN.wasm));
  for (const name of [HELPER, GPU_FAULTS]) copyFileSync(join(directory, name), join(dropIn, name));
}

/** A script for Node whose modules and GPU engines are in the directory above. */
export function withDirectoryAbove(script) {
  return script.replace(OF_DIRECTORY_ABOVE, '$1../$2');
}

async function bundleScripts(target) {
  const hasModule = target.variants.includes(EMBEDDED_VARIANT);
  const scripts = PACKAGE_SCRIPTS.filter(({ embedded }) => hasModule || !embedded);
  for (const { name } of PACKAGE_SCRIPTS.filter(({ split }) => split)) removeParts(target.directory, parse(name).name);
  const sources = await Promise.all(
    scripts.map(async (script) => {
      const { metafile } = await build(scriptOptions(script, target));
      const outputs = Object.keys(metafile.outputs).map((name) => join(JS_DIR, name));
      await Promise.all(outputs.filter((file) => !file.endsWith('.map')).map(shrink));
      return sourcesOf(metafile);
    }),
  );
  return sources.flat();
}

/** Removes the parts of a split script from an earlier build: their names contain hashes. */
function removeParts(directory, stem) {
  const parts = readdirSync(directory).filter((name) => name.startsWith(`${stem}-`));
  for (const name of parts) rmSync(join(directory, name));
}

/** Makes a minified script smaller still, with its source map. */
async function shrink(file) {
  const mapFile = `${file}.map`;
  const hasMap = existsSync(mapFile);
  const { code, map } = await minify(readFileSync(file, 'utf8'), {
    module: file.endsWith('.mjs'),
    ecma: 2022,
    compress: { passes: 2 },
    mangle: true,
    sourceMap: hasMap && { content: readFileSync(mapFile, 'utf8') },
  });
  // Bundlers cannot resolve addresses. Such comments are dropped when a script is minified, so they come last.
  const marked = code.replace(IMPORT_OF_ADDRESS, 'import(/*webpackIgnore:true*//*@vite-ignore*/$1)');
  writeFileSync(file, hasMap ? `${marked}\n//# sourceMappingURL=${basename(mapFile)}\n` : `${marked}\n`);
  if (hasMap) writeFileSync(mapFile, map);
}

async function bundleForNode(target) {
  const directory = join(target.directory, 'node');
  rmSync(directory, { recursive: true, force: true });
  const { metafile } = await build(nodeOptions({ ...target, directory }));
  for (const name of readdirSync(directory).filter((name) => name.endsWith('.mjs'))) {
    const file = join(directory, name);
    writeFileSync(file, withDirectoryAbove(readFileSync(file, 'utf8')));
  }
  writeFileSync(join(target.directory, 'node.mjs'), NODE_ENTRY_TEXT);
  return sourcesOf(metafile);
}

async function writeTypes(directory) {
  const types = join(directory, 'types');
  rmSync(types, { recursive: true, force: true });
  await Promise.all([
    runTsc('-p', 'tsconfig.types.json', '--outDir', types),
    runTsc('-p', 'packages/webnn-polyfill/tsconfig.json', '--outDir', join(types, 'polyfill')),
  ]);
  // node.ts looks for it next to the scripts
  writeFileSync(join(types, 'core', 'src', 'index.d.mts'), "export * from './index.js';\n");
  // TypeScript looks for .mts next to an .mjs
  for (const [entry, declarations] of Object.entries(TYPES)) {
    writeFileSync(join(directory, `${entry}.d.mts`), `export * from './types/${declarations}.js';\n`);
  }
  mkdirSync(join(directory, 'node'), { recursive: true });
  for (const entry of Object.keys(TYPES).filter((name) => name in NODE_SCRIPTS)) {
    const declarations = NODE_TYPES[entry] ?? TYPES[entry];
    writeFileSync(join(directory, 'node', `${entry}.d.mts`), `export * from '../types/${declarations}.js';\n`);
  }
  return [];
}

/** Runs TypeScript in js/. */
export async function runTsc(...args) {
  try {
    await promisify(execFile)(join(JS_DIR, 'node_modules/.bin/tsc'), args, { cwd: JS_DIR });
  } catch (error) {
    throw new Error(`the types do not compile (tsc ${args.join(' ')}, in ${JS_DIR}):\n${error.stdout || error.message}`);
  }
}

function copyVariants({ variants, directory, wasmDir }) {
  for (const variant of VARIANTS) rmSync(join(directory, variant), { recursive: true, force: true });
  for (const variant of variants) {
    for (const name of ARTEFACTS) cpSync(join(wasmDir, variant, name), join(directory, variant, name));
  }
}
