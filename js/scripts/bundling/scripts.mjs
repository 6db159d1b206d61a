/** The scripts that esbuild bundles, and what is special about each. Paths are relative to js/. */

/** Variants of the wasm module, each with the constant of its integrity (packages/core/src/wasm/wasm_variants.ts). */
export const VARIANT_FLAGS = {
  simd: '__PACKAGED__.simd',
  'relaxed-simd': '__PACKAGED__.relaxedSimd',
  'simd-threads': '__PACKAGED__.simdThreads',
  'relaxed-simd-threads': '__PACKAGED__.relaxedSimdThreads',
};
export const VARIANTS = Object.keys(VARIANT_FLAGS);
/** Scripts that contain a variant's JavaScript part have that of this one, which every browser runs. */
export const EMBEDDED_VARIANT = 'simd';

/** The names by which packages import what is another script of the published package, and these scripts. */
export const EXPORTS = {
  'tflite-webnn': 'index.mjs',
  'tflite-webnn/metadata': 'index.mjs',
  '@tflite-webnn/media/images': 'image.mjs',
  '@tflite-webnn/media/results': 'results.mjs',
  '@tflite-webnn/tasks/text': 'text.mjs',
  '@tflite-webnn/tasks': 'tasks.mjs',
};
/** The worker of blocking mode, for the package and the drop-in. */
export const HELPER = 'webnn_helper.mjs';
/** The package and the helper load this once a node has ended the browser's GPU process. */
export const GPU_BUGS = 'gpu_bugs.mjs';
/** Loaded with the first model that has custom ops. */
export const CUSTOM_OPS = 'custom_ops.mjs';
/** index.mjs and metadata.mjs load these instead of containing their source, by the name of that. */
export const ON_DEMAND = { 'read_files.js': 'read_files.mjs', 'file_to_read.js': 'metadata_download.mjs' };
/** The polyfill loads this for its GPU engines. */
export const GPU_ENGINES = 'polyfill_gpu.mjs';

/** The variants of the polyfill, whose engine has one thread. */
const WITHOUT_THREADS = ['simd', 'relaxed-simd'];

/**
 * The drop-in for @tensorflow/tfjs-tflite. The client loads the script that matches the browser's features; all are the
 * same, and detect the features themselves.
 */
export const DROP_IN = {
  directory: 'tfjs-tflite',
  scripts: ['_simd', '', '_threaded', '_simd_threaded'].map((suffix) => `tflite_web_api_cc${suffix}.js`),
  wasm: 'tflite_web_api_cc_simd.wasm',
};

/**
 * One script: its entry with everything that it imports.
 *
 * @typedef {object} Script
 * @property {string} name its path in the package
 * @property {string} entry
 * @property {boolean} [classic] for a `<script>` tag, which cannot export
 * @property {string} [globalName] the global with the exports of a classic script
 * @property {boolean} [embedded] contains EMBEDDED_VARIANT's JavaScript part; else the variants lie next to the script
 * @property {boolean} [worklet] also runs in AudioWorklets, which lack some globals
 * @property {boolean} [split] dynamic imports become separate scripts, `<stem>-*.mjs`
 * @property {boolean} [tfjs] contains TensorFlow.js, separate from the page's copy
 * @property {boolean} [sourceMap] false: without a map next to it
 * @property {boolean} [isWorker] contains what pages load on demand: bundlers create one script of a worker
 * @property {readonly string[]} [variants] those that it loads; default: all
 * @property {boolean} [onDemand] loads the scripts of ON_DEMAND
 * @property {readonly [script: string, file: string]} [importsFrom] another script, and the file that names what the
 *   script imports from that
 */

const FROM_INDEX = ['./index.mjs', 'packages/core/src/shared_with_worker.ts'];

/** @type {readonly Script[]} */
export const PACKAGE_SCRIPTS = [
  { name: 'index.mjs', entry: 'packages/core/src/index.ts', onDemand: true },
  {
    name: 'read_files.mjs',
    entry: 'packages/core/src/load/read_files.ts',
    split: true,
    importsFrom: FROM_INDEX,
  },
  // 9.1 kB with gzip; the goal is 8 kB. 1.2 kB (2.6 kB unpacked) are the texts of messages, which say what is wrong in a file.
  // Without the reader of Ultralytics' files, the largest part that few models need, 8.4 kB would remain.
  { name: 'metadata.mjs', entry: 'packages/core/src/metadata.ts', split: true, onDemand: true },
  {
    name: 'metadata_download.mjs',
    entry: 'packages/core/src/load/file_to_read.ts',
    importsFrom: ['./metadata.mjs', 'packages/core/src/metadata.ts'],
  },
  { name: 'explain.mjs', entry: 'packages/core/src/explain.ts' },
  { name: 'image.mjs', entry: 'packages/media/src/images/index.ts' },
  { name: 'results.mjs', entry: 'packages/media/src/results/index.ts' },
  { name: 'sound.mjs', entry: 'packages/media/src/sound/index.ts' },
  { name: 'text.mjs', entry: 'packages/tasks/src/text/index.ts', split: true },
  { name: 'tasks.mjs', entry: 'packages/tasks/src/index.ts' },
  { name: 'language.mjs', entry: 'packages/tasks/src/language.ts' },
  { name: 'cpu.mjs', entry: 'packages/cpu/src/index.ts', embedded: true, worklet: true },
  { name: 'tflite_cpu.js', entry: 'packages/cpu/src/classic.ts', classic: true, embedded: true, worklet: true },
  { name: 'litert.mjs', entry: 'packages/compat-litert/src/index.ts' },
  { name: 'tfjs.mjs', entry: 'packages/compat-tfjs/src/index.ts' },
  { name: 'vision.mjs', entry: 'packages/compat-mediapipe/src/index.ts' },
  { name: 'worker.mjs', entry: 'packages/core/src/tflite_worker.ts', importsFrom: FROM_INDEX },
  { name: 'model_worker.mjs', entry: 'packages/core/src/worker.ts', isWorker: true },
  { name: HELPER, entry: 'packages/core/src/webnn_helper.ts', isWorker: true },
  { name: GPU_BUGS, entry: 'packages/core/src/webnn/gpu_bugs.ts' },
  { name: CUSTOM_OPS, entry: 'packages/core/src/wasm/custom_ops.ts' },
  { name: 'polyfill.mjs', entry: 'packages/webnn-polyfill/src/index.ts', variants: WITHOUT_THREADS },
  {
    name: 'polyfill_worker.mjs',
    entry: 'packages/webnn-polyfill/src/tflite/engine/worker.ts',
    variants: WITHOUT_THREADS,
    isWorker: true,
  },
  // TensorFlow.js' own maps lack their sources, which Parcel then looks for.
  { name: GPU_ENGINES, entry: 'packages/webnn-polyfill/src/tfjs/index.ts', tfjs: true, sourceMap: false },
  {
    name: 'webnn_polyfill.js',
    entry: 'packages/webnn-polyfill/src/classic.ts',
    classic: true,
    globalName: 'webnnPolyfill',
    variants: WITHOUT_THREADS,
  },
  { name: 'tflite_webnn.js', entry: 'packages/core/src/classic.ts', classic: true, globalName: 'tfliteWebnn' },
  {
    name: `${DROP_IN.directory}/${DROP_IN.scripts[0]}`,
    entry: 'packages/compat-tfjs-tflite/src/module_factory.ts',
    classic: true,
    embedded: true,
  },
];

/** The package's scripts for Node, in its directory node/. */
export const NODE_SCRIPTS = {
  index: 'packages/core/src/index.ts',
  metadata: 'packages/core/src/metadata.ts',
  node: 'packages/core/src/node.ts',
  explain: 'packages/core/src/explain.ts',
  image: 'packages/media/src/images/index.ts',
  results: 'packages/media/src/results/index.ts',
  sound: 'packages/media/src/sound/index.ts',
  text: 'packages/tasks/src/text/index.ts',
  tasks: 'packages/tasks/src/index.ts',
  language: 'packages/tasks/src/language.ts',
  litert: 'packages/compat-litert/src/index.ts',
  tfjs: 'packages/compat-tfjs/src/index.ts',
  vision: 'packages/compat-mediapipe/src/index.ts',
  worker: 'packages/core/src/node_worker.ts',
  model_worker: 'packages/core/src/worker.ts',
  webnn_helper: 'packages/core/src/webnn_helper.ts',
  gpu_bugs: 'packages/core/src/webnn/gpu_bugs.ts',
  custom_ops: 'packages/core/src/wasm/custom_ops.ts',
  polyfill: 'packages/webnn-polyfill/src/index.ts',
  polyfill_worker: 'packages/webnn-polyfill/src/tflite/engine/worker.ts',
};

/** The package's entries with types, and each one's declarations below types/. */
export const TYPES = {
  index: 'core/src/index',
  metadata: 'core/src/metadata',
  node: 'core/src/node',
  worker: 'core/src/tflite_worker',
  explain: 'core/src/explain',
  image: 'media/src/images/index',
  results: 'media/src/results/index',
  sound: 'media/src/sound/index',
  text: 'tasks/src/text/index',
  tasks: 'tasks/src/index',
  language: 'tasks/src/language',
  cpu: 'cpu/src/index',
  litert: 'compat-litert/src/index',
  tfjs: 'compat-tfjs/src/index',
  vision: 'compat-mediapipe/src/index',
  polyfill: 'polyfill/webnn-polyfill/src/index',
};

/** Entries whose script for Node has other types than that for pages. */
export const NODE_TYPES = { worker: 'core/src/node_worker' };

/**
 * Scripts that are in no package.
 *
 * - programs: starts programs of wasm/programs
 * - probes: the probes of WebNN; the site bundles the same sources with its scripts
 * - pyodide: the wheel's JavaScript
 *
 * @type {Readonly<Record<string, Script & { embeddedVariants?: readonly string[] }>>}
 */
export const OTHER_SCRIPTS = {
  programs: { name: 'run_program.mjs', entry: 'apps/programs/src/run_program.ts', sourceMap: false },
  probes: { name: 'index.mjs', entry: 'apps/probes/src/index.ts', sourceMap: false },
  pyodide: {
    name: 'tflite_webnn.mjs',
    entry: 'apps/pyodide/src/index.ts',
    classic: true,
    globalName: 'tfliteWebnnPyodide',
    sourceMap: false,
    // EMBEDDED_VARIANTS of js/apps/pyodide. Variants with threads need workers, for which Python's calls cannot wait.
    embeddedVariants: ['simd', 'relaxed-simd'],
  },
};
