// The layers of docs/architecture.md. An import points down, and enters another package only by its entry files.

// Folders of runtime/src, the highest first; the files at its root are entry points and words that all folders share.
const LAYERS = ['worker', 'explain', 'load', 'report', 'ml_tensors', 'model', 'blocking', 'webnn', 'wasm', 'options.ts', 'tensors', 'metadata', 'support'];
// The same of site/scripts. A file at its root is the script of a page or of a worker.
const SITE_LAYERS = ['(?!\\w+_worker)\\w+\\.ts', 'demos', '\\w+_worker\\.ts', 'benchmark', 'explorer', 'python', 'vision', 'webnn', 'common'];
const WORDS = '(argument_kinds|description|dtypes|errors|options|webnn_types)\\.ts|.*\\.d\\.ts|generated/';

const OF_HELPERS = ['runtime/src/(index|argument_kinds).ts'];

// What each package imports of others. Its tests may also use the runtime's fakes, and internals.ts.
const ENTRIES = {
  runtime: [],
  images: [...OF_HELPERS],
  results: [...OF_HELPERS, 'images/src/placement.ts'],
  sound: [...OF_HELPERS],
  text: [...OF_HELPERS],
  tasks: ['runtime/src/argument_kinds.ts', '(runtime|images|results|text)/src/index.ts'],
  litert: [...OF_HELPERS],
  tfjs: [...OF_HELPERS],
  vision: ['runtime/src/(index|argument_kinds|metadata).ts', '(images|results|tasks)/src/index.ts', 'text/src/tokenizers/protobuf.ts'],
  'webnn-polyfill': ['runtime/src/wasm_access.ts'],
  'tfjs-tflite': ['runtime/src/internals.ts', 'text/src/internals.ts', 'results/src/score_calibration.ts'],
  cpu: ['runtime/src/(internals|errors).ts'],
  probes: ['webnn-polyfill/src/index.ts'],
  programs: ['runtime/src/internals.ts'],
  pyodide: ['runtime/src/internals.ts', 'webnn-polyfill/src/internals.ts'],
  api_docs: ['runtime/src/(index|explain|metadata).ts', '(cpu|images|results|sound|text|tasks)/src/index.ts', 'webnn-polyfill/src/polyfill.ts'],
  // Node runs the first ones as they are; the others read and write what is generated.
  tools: ['runtime/src/(webnn/(op_support_limits|workarounds)|generated/browser_bugs).ts', 'webnn-polyfill/tools/(fbs|formatted).mjs'],
  bundling: [],
  libraries: [],
  '../site': ['libraries/', 'runtime/src/(index|explain|metadata).ts', '(images|results|sound|text|tasks|vision)/src/index.ts', 'webnn-polyfill/src/index.ts', 'probes/src/index.ts'],
};
const PACKAGES = `^(${Object.keys(ENTRIES).join('|')})/`;
const OF_TESTS = ['runtime/src/(internals|explain|metadata).ts', 'runtime/tests/fakes/index.ts'];

const inside = (root, names) => `^${root}(${names.map((name) => (name.includes('.') ? name : `${name}/`)).join('|')})`;
const below = (names) => inside('runtime/src/', names);

const layersOf = (root, layers, words = []) =>
  layers.map((layer, place) => ({
    name: `${root}${layer} imports nothing above it`,
    comment: `An import in ${root} points down. Move what both need to the lower folder; see docs/architecture.md.`,
    severity: 'error',
    from: { path: inside(root, [layer]) },
    to: { path: `^${root}`, pathNot: [inside(root, layers.slice(place)), ...words] },
  }));

const packages = Object.entries(ENTRIES).flatMap(([name, entries]) =>
  ['src', 'tests'].map((part) => ({
    name: `${name}, its ${part}: others by their entry files`,
    comment: `Import, or export, what is needed by an entry file: ${entries.join(', ') || 'there is none'}.`,
    severity: 'error',
    from: part === 'tests' ? { path: `^${name}/.*tests/` } : { path: `^${name}/`, pathNot: '/tests/' },
    to: {
      path: PACKAGES,
      pathNot: [name, ...entries, ...(part === 'tests' ? OF_TESTS : [])].map((path) => `^${path}`),
    },
  })),
);

module.exports = {
  forbidden: [
    {
      name: 'no cycle',
      comment: 'Files that need each other are one file, or what both need goes into a third. Types count, too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'words import no folder above tensors',
      comment: 'All folders share the words of runtime/src.',
      severity: 'error',
      from: { path: `^runtime/src/(${WORDS})`, pathNot: '\\.d\\.ts$' },
      to: { path: '^runtime/src/', pathNot: [below(LAYERS.slice(LAYERS.indexOf('tensors'))), `^runtime/src/(${WORDS})`] },
    },
    ...layersOf('runtime/src/', LAYERS, [`^runtime/src/(${WORDS})`]),
    ...layersOf('../site/scripts/', SITE_LAYERS),
    ...packages,
  ],
  options: {
    parser: 'swc', // dependency-cruiser cannot use TypeScript 7
    tsPreCompilationDeps: true, // imports of types count
    doNotFollow: { path: 'node_modules' },
    webpackConfig: { fileName: '.resolve.cjs' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js'] },
  },
};
