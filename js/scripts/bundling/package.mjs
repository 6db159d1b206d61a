/**
 * Writes the package:
 *
 * - index.mjs: the bundled runtime, with its source map
 * - tflite_webnn.js: the same as a classic script, which sets the global `tfliteWebnn`
 * - read_files.mjs: reads metadata and .task bundles for index.mjs, which loads it on demand; read_files-*.mjs unpacks
 *   compressed files
 * - metadata.mjs: the readers of metadata and .task bundles alone; metadata_download.mjs gets files that are not in
 *   memory, metadata-*.mjs unpacks compressed files
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
 * - gpu_bugs.mjs: the search for the node that ended the browser's GPU process, loaded on demand
 * - custom_ops.mjs: what runs custom ops in JavaScript, loaded on demand
 * - polyfill.mjs: the polyfill of WebNN; polyfill_worker.mjs: its worker
 * - polyfill_gpu.mjs: its GPU engines, loaded on demand
 * - webnn_polyfill.js: the same as a classic script, which installs itself and sets the global `webnnPolyfill`
 * - ENTRY.d.mts: the types of each entry (types/ has one file per module); node/ENTRY.d.mts: those of the script for
 *   Node
 * - tfjs-tflite/: the drop-in for @tensorflow/tfjs-tflite: its tflite_web_api_cc*.js and their shared module
 * - <variant>/: the wasm module of each built variant
 * - manifest.json: the variants, with the manifest of each, and the npm packages in the scripts
 * - report.schema.json: JSON schema of the report on a model
 * - THIRD_PARTY_NOTICES.txt: licenses of the code in the modules and in the scripts
 * - package.json, README.md, LICENSE
 *
 * Without the variant `simd` it lacks the scripts that contain its JavaScript part: cpu.mjs, tflite_cpu.js,
 * tfjs-tflite/.
 */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { bundledPackages, NOTICES, writeNotices } from './notices.mjs';
import { JS_DIR, nodeOptions, scriptOptions } from './options.mjs';
import {
  DROP_IN,
  EMBEDDED_VARIANT,
  GPU_ENGINES,
  GPU_BUGS,
  HELPER,
  NODE_SCRIPTS,
  NODE_TYPES,
  PACKAGE_SCRIPTS,
  TYPES,
  VARIANTS,
} from './scripts.mjs';

const ARTEFACTS = ['tflite_webnn.mjs', 'tflite_webnn.wasm', 'manifest.json'];
const COPIED = ['README.md', 'report.schema.json'].map((name) => `packages/core/${name}`).concat('../LICENSE');
/** All inputs of the package besides the modules. */
const SOURCES = ['packages', 'scripts/bundling', 'package-lock.json', 'tsconfig.base.json', 'tsconfig.types.json', '../LICENSE'];
const NO_SOURCE = /[/\\](tests|node_modules)([/\\]|$)/;
/** Has the hash of the inputs of a complete package. */
const STAMP = '.stamp';
/** For importing the package in Node by its path. */
const NODE_ENTRY_TEXT = "export * from './node/node.mjs';\n";
const IMPORT_OF_ADDRESS = /\bimport\(((?:\w+|new URL\([^()]*\))\.\s*href)\)/g;
/** Examples in comments name what is published. */
const CODE_LINE = /^(?! *\*).*$/gm;
const IMPORT_OF_PACKAGE = /(\bfrom |\bimport\()['"](@?tflite-webnn[^'"]*)['"]/g;
const DIRECTORY_ABOVE = new RegExp(`(["'])\\./((?:${VARIANTS.join('|')})/|${GPU_ENGINES.replace('.', '\\.')})`, 'g');

/** Writes `root`/package from the modules in `root`/wasm. Returns their names, or null if it was up to date. */
export async function buildPackage(root) {
  const directory = join(root, 'package');
  const wasmDir = join(root, 'wasm');
  const variants = builtVariants(wasmDir);
  const stamp = join(directory, STAMP);
  const hash = inputsHash(SOURCES.map((name) => join(JS_DIR, name)), variants.map((variant) => join(wasmDir, variant)));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return null;
  const target = { variants, directory, wasmDir };
  rmSync(directory, { recursive: true, force: true }); // files of earlier names would be published
  mkdirSync(directory, { recursive: true });
  const [ofPages, ofNode] = await Promise.all([bundleScripts(target), bundleForNode(target), writeTypes(directory)]);
  copyVariants(target);
  if (variants.includes(EMBEDDED_VARIANT)) completeDropIn(directory);
  writePackageJson(directory);
  for (const file of COPIED) copyFileSync(join(JS_DIR, file), join(directory, basename(file)));
  const metafiles = [...ofPages, ofNode];
  writeManifest(target, bundledPackages(metafiles));
  writeNotices(directory, metafiles, variants[0] && join(wasmDir, variants[0]));
  writeFileSync(stamp, hash);
  return variants;
}

/** Changes with the contents of sources, and with the files of modules, of which it reads the small ones only. */
export function inputsHash(sources, modules) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesBelow).sort()) hash.update(`${file}\0`).update(readFileSync(file));
  for (const file of modules.flatMap((module) => ARTEFACTS.map((name) => join(module, name)))) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file}\0${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  const files = readdirSync(path, { recursive: true }).map((name) => join(path, name));
  return files.filter((file) => !NO_SOURCE.test(file) && statSync(file).isFile());
}

/** That of the core, which exports sources to the other packages, with the scripts that are published. */
function writePackageJson(directory) {
  const { publishConfig, ...manifest } = JSON.parse(readFileSync(join(JS_DIR, 'packages/core/package.json'), 'utf8'));
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify({ ...manifest, ...publishConfig }, null, 2)}\n`);
}

/** The variants whose artefacts are complete. */
export function builtVariants(wasmDir) {
  return VARIANTS.filter((variant) => [...ARTEFACTS, NOTICES].every((name) => existsSync(join(wasmDir, variant, name))));
}

/** Adapts the drop-in: its other script names, its module and the helper's scripts. */
export function completeDropIn(directory) {
  const dropIn = join(directory, DROP_IN.directory);
  const [script, ...others] = DROP_IN.scripts.map((name) => join(dropIn, name));
  for (const other of others) copyFileSync(script, other);
  copyFileSync(join(directory, EMBEDDED_VARIANT, 'tflite_webnn.wasm'), join(dropIn, DROP_IN.wasm));
  for (const name of [HELPER, GPU_BUGS]) copyFileSync(join(directory, name), join(dropIn, name));
}

/** A script for Node whose modules and GPU engines are in the directory above. */
export function withDirectoryAbove(script) {
  return script.replace(DIRECTORY_ABOVE, '$1../$2');
}

async function bundleScripts(target) {
  const hasModule = target.variants.includes(EMBEDDED_VARIANT);
  const scripts = PACKAGE_SCRIPTS.filter(({ embedded }) => hasModule || !embedded);
  const metafiles = await Promise.all(
    scripts.map(async (script) => {
      const { metafile } = await build(scriptOptions(script, target));
      for (const name of Object.keys(metafile.outputs)) markImports(join(JS_DIR, name));
      return metafile;
    }),
  );
  return metafiles;
}

/** Bundlers cannot resolve addresses. esbuild drops such comments when it minifies. */
function markImports(file) {
  if (file.endsWith('.map')) return;
  const marked = readFileSync(file, 'utf8').replace(IMPORT_OF_ADDRESS, 'import(/*webpackIgnore:true*//*@vite-ignore*/$1)');
  writeFileSync(file, marked);
}

async function bundleForNode(target) {
  const directory = join(target.directory, 'node');
  const { metafile } = await build(nodeOptions({ ...target, directory }));
  for (const name of readdirSync(directory).filter((name) => name.endsWith('.mjs'))) {
    const file = join(directory, name);
    writeFileSync(file, withDirectoryAbove(readFileSync(file, 'utf8')));
  }
  writeFileSync(join(target.directory, 'node.mjs'), NODE_ENTRY_TEXT);
  return metafile;
}

async function writeTypes(directory) {
  const types = join(directory, 'types');
  await Promise.all([
    runTsc('-p', 'tsconfig.types.json', '--outDir', types),
    runTsc('-p', 'packages/webnn-polyfill/tsconfig.json', '--outDir', join(types, 'polyfill')),
  ]);
  importByPath(types);
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
}

/** Declarations name packages of js/, which are not published: their files are in the same directory here. */
function importByPath(types) {
  for (const name of readdirSync(types, { recursive: true }).filter((name) => name.endsWith('.d.ts'))) {
    const file = join(types, name);
    const pathOf = (imported) => {
      const source = relative(join(JS_DIR, 'packages'), fileURLToPath(import.meta.resolve(imported)));
      const path = relative(dirname(file), join(types, source.replace(/\.ts$/, '.js')));
      return path.startsWith('.') ? path : `./${path}`;
    };
    const text = readFileSync(file, 'utf8').replace(CODE_LINE, (line) =>
      line.replace(IMPORT_OF_PACKAGE, (_, start, imported) => `${start}'${pathOf(imported)}'`),
    );
    writeFileSync(file, text);
  }
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
  for (const variant of variants) {
    for (const name of ARTEFACTS) cpSync(join(wasmDir, variant, name), join(directory, variant, name));
  }
}

function writeManifest({ variants, directory, wasmDir }, npmPackages) {
  const manifestOf = (variant) => JSON.parse(readFileSync(join(wasmDir, variant, 'manifest.json'), 'utf8'));
  const manifest = {
    packages: Object.fromEntries(npmPackages.map(({ name, version, license }) => [name, { version, license }])),
    variants: Object.fromEntries(variants.map((variant) => [variant, manifestOf(variant)])),
  };
  writeFileSync(join(directory, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
