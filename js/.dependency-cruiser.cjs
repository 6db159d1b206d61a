// The layers of docs/architecture.md. An import points down, and enters another package only by its entry files.

// Folders of packages/core/src, the highest first; files at its root are entry points and words that all folders share.
const LAYERS = ['worker', 'explain', 'load', 'report', 'ml_tensors', 'model', 'blocking', 'webnn', 'wasm', 'options.ts', 'tensors', 'metadata', 'support'];
// The same of site/scripts. A file at its root is the script of a page or of a worker.
const SITE_LAYERS = ['(?!\\w+_worker)\\w+\\.ts', 'run', 'demos', '\\w+_worker\\.ts', 'benchmark', 'explorer', 'python', 'vision', 'webnn', 'common'];
const WORDS = '(argument_kinds|custom_op|description|dtypes|errors|options|webnn_types)\\.ts|.*\\.d\\.ts|generated/';

const CORE = 'packages/core/src';
const OF_HELPERS = [`${CORE}/(index|argument_kinds).ts`];

// What each package imports of others. Its tests may also use the core's fakes, and internals.ts.
const ENTRIES = {
  'packages/core': [],
  'packages/media/images': [...OF_HELPERS],
  'packages/media/results': [...OF_HELPERS, 'packages/media/images/src/placement.ts'],
  'packages/media/sound': [...OF_HELPERS],
  'packages/tasks/text': [...OF_HELPERS],
  'packages/tasks/tasks': [
    `${CORE}/argument_kinds.ts`,
    'packages/(core|media/images|media/results|tasks/text)/src/index.ts',
    'packages/tasks/text/src/bert_order.ts',
  ],
  'packages/compat-litert': [...OF_HELPERS],
  'packages/compat-tfjs': [...OF_HELPERS],
  'packages/compat-mediapipe': [
    `${CORE}/(index|argument_kinds|metadata).ts`,
    'packages/(media/images|media/results|tasks/tasks)/src/index.ts',
    'packages/tasks/text/src/tokenizers/protobuf.ts',
  ],
  'packages/webnn-polyfill': [`${CORE}/wasm_access.ts`],
  'packages/compat-tfjs-tflite': [
    `${CORE}/internals.ts`,
    'packages/tasks/text/src/internals.ts',
    'packages/media/results/src/score_calibration.ts',
  ],
  'packages/cpu': [`${CORE}/(internals|errors).ts`],
  'apps/probes': ['packages/webnn-polyfill/src/index.ts'],
  'apps/programs': [`${CORE}/internals.ts`],
  'apps/pyodide': ['packages/(core|webnn-polyfill)/src/internals.ts'],
  // Node runs the first ones as they are; the others read and write what is generated.
  'scripts/tools': [
    `${CORE}/(webnn/delegate_context|generated/browser_bugs).ts`,
    'packages/webnn-polyfill/tools/(fbs|formatted).mjs',
  ],
  'scripts/bundling': [],
  'apps/libraries': [],
  '../site': [
    'apps/libraries/',
    `${CORE}/(index|explain|metadata|tflite_worker).ts`,
    'packages/(media/(images|results|sound)|tasks/(text|tasks)|compat-mediapipe|webnn-polyfill)/src/index.ts',
    'packages/tasks/tasks/src/language.ts',
    'apps/probes/src/index.ts',
  ],
};
const PACKAGES = `^(${Object.keys(ENTRIES).join('|')})/`;
const OF_TESTS = [`${CORE}/(internals|explain|metadata).ts`, 'packages/core/tests/fakes/index.ts'];

const inside = (root, names) => `^${root}(${names.map((name) => (name.includes('.') ? name : `${name}/`)).join('|')})`;
const below = (names) => inside(`${CORE}/`, names);

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
      pathNot: [`${name}/`, ...entries, ...(part === 'tests' ? OF_TESTS : [])].map((path) => `^${path}`),
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
      comment: 'All folders share the words of packages/core/src.',
      severity: 'error',
      from: { path: `^${CORE}/(${WORDS})`, pathNot: '\\.d\\.ts$' },
      to: { path: `^${CORE}/`, pathNot: [below(LAYERS.slice(LAYERS.indexOf('tensors'))), `^${CORE}/(${WORDS})`] },
    },
    ...layersOf(`${CORE}/`, LAYERS, [`^${CORE}/(${WORDS})`]),
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
