// The layers of docs/architecture.md: an import points down. What a package may import are the `dependencies` of its
// package.json, and of each of them its `exports`.
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

// Directories of packages/core/src, the highest first. Files at its root are entry points, or types for all.
const LAYERS = ['worker', 'explain', 'load', 'report', 'ml_tensors', 'model', 'blocking', 'webnn', 'wasm', 'options.ts', 'tensors', 'metadata', 'support'];
// The same of site/scripts. A file at its root is the script of a page or of a worker.
const SITE_LAYERS = ['(?!\\w+_worker)\\w+\\.ts', 'run', 'demos', '\\w+_worker\\.ts', 'benchmark', 'explorer', 'python', 'vision', 'webnn', 'common'];
const TYPES = '(option_schema|custom_op|description|dtypes|errors|options|webnn_types)\\.ts|.*\\.d\\.ts|generated/';

const CORE = 'packages/core/src';
// What a published script has of the core's: the rest it imports from index.mjs, for one set of error classes.
const SHARED = `^${CORE}/(index|metadata|option_schema)\\.ts$`;

// The packages, by their directories; what others may import of each are its `exports`.
const manifests = ['packages', 'apps'].flatMap((top) =>
  readdirSync(join(__dirname, top))
    .map((name) => `${top}/${name}`)
    .filter((directory) => existsSync(join(__dirname, directory, 'package.json')))
    .map((directory) => ({ directory, ...JSON.parse(readFileSync(join(__dirname, directory, 'package.json'), 'utf8')) })),
);
const directoryOf = Object.fromEntries(manifests.map(({ name, directory }) => [name, directory]));

const inside = (root, names) => `^${root}(${names.map((name) => (name.includes('.') ? name : `${name}/`)).join('|')})`;
const below = (names) => inside(`${CORE}/`, names);

const layersOf = (root, layers, shared = []) =>
  layers.map((layer, index) => ({
    name: `${root}${layer} imports nothing above it`,
    comment: `An import in ${root} points down. Move what both need to the lower directory; see docs/architecture.md.`,
    severity: 'error',
    from: { path: inside(root, [layer]) },
    to: { path: `^${root}`, pathNot: [inside(root, layers.slice(index)), ...shared] },
  }));

const dependencies = manifests.map(({ name, directory, dependencies = {} }) => ({
  name: `${name} imports its dependencies`,
  comment: 'If it is a layer below (docs/architecture.md), add it to the dependencies of package.json.',
  severity: 'error',
  from: { path: `^${directory}/`, pathNot: '/tests/' },
  to: {
    path: '^(packages|apps)/',
    pathNot: [name, ...Object.keys(dependencies)].flatMap((one) => (one in directoryOf ? `^${directoryOf[one]}/` : [])),
  },
}));

// Directories of one package that become different scripts.
const scripts = [
  ['images, results and sound import each other', '^packages/media/src/(\\w+)/', '^packages/media/src/(?!$1/)'],
  ['tasks import text', '^packages/tasks/src/(?!text/)', '^packages/tasks/src/text/'],
  ['language imports tasks', '^packages/tasks/src/language/', '^packages/tasks/src/(?!language/)'],
].map(([name, from, to]) => ({
  name: `${name} by name`,
  comment: 'Else this script contains the other one, with its error classes: import it by the name of its package.',
  severity: 'error',
  from: { path: from },
  to: { path: to, pathNot: '/placement\\.ts$', dependencyTypes: ['local'] }, // scripts contain it
}));

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
      name: 'shared types import no directory above tensors',
      comment: 'All directories share the files at the root of packages/core/src.',
      severity: 'error',
      from: { path: `^${CORE}/(${TYPES})`, pathNot: '\\.d\\.ts$' },
      to: { path: `^${CORE}/`, pathNot: [below(LAYERS.slice(LAYERS.indexOf('tensors'))), `^${CORE}/(${TYPES})`] },
    },
    ...layersOf(`${CORE}/`, LAYERS, [`^${CORE}/(${TYPES})`]),
    ...layersOf('../site/scripts/', SITE_LAYERS),
    ...dependencies,
    {
      name: 'packages import each other by name',
      comment: 'Add the file to the exports of its package.json, if it is for others.',
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/' },
      to: { path: '^(packages|apps)/', pathNot: '^$1/$2/', dependencyTypes: ['local'] },
    },
    ...scripts,
    {
      name: 'one set of error classes',
      comment: 'A script next to index.mjs imports the core by its published names.',
      severity: 'error',
      from: { path: '^packages/(media|tasks|compat-(litert|mediapipe|tfjs))/', pathNot: '/tests/' },
      to: { path: `^${CORE}/`, pathNot: SHARED },
    },
    {
      name: 'the polyfill imports only wasm and half-precision numbers of the core',
      comment: `Import, or export, what is needed by ${CORE}/wasm_access.ts; its rules run without the wasm modules.`,
      severity: 'error',
      from: { path: '^packages/webnn-polyfill/', pathNot: '/tests/' },
      to: { path: `^${CORE}/`, pathNot: '/(wasm_access|tensors/float16)\\.ts$' },
    },
    {
      name: 'the site imports what is published',
      comment: 'By its published name, e.g. tflite-webnn/image; js/apps have no such names.',
      severity: 'error',
      from: { path: '^\\.\\./site/', pathNot: '/tests/' },
      to: { path: '^(packages|apps)/', pathNot: '^apps/(libraries/|probes/src/index\\.ts$)' },
    },
  ],
  options: {
    parser: 'swc', // dependency-cruiser cannot use TypeScript 7
    tsPreCompilationDeps: true, // imports of types count
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/core/tests/(?!fakes/)|^apps/(api-docs|examples)/' }, // it cannot read `using` in tests
    enhancedResolveOptions: { exportsFields: ['exports'], extensions: ['.ts', '.mjs', '.js'] },
  },
};
