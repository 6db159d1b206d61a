/**
 * Times cases of two kinds at three sizes, each twice the one before, and prints {"name", "sizes", "ms", "factor"} a line:
 * `node growth.mjs PACKAGE_DIR MODELS_DIR ONLY`. MODELS_DIR has NAME-SIZE.tflite; a model of size 1 is what any costs.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [packageDir, modelsDir, only = ''] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(resolve(packageDir, 'node', `${name}.mjs`)).href);
const [runtime, text, results, images, sound, explain] = await Promise.all(
  ['index', 'text', 'results', 'image', 'sound', 'explain'].map(load),
);
const limits = JSON.parse(readFileSync(join(modelsDir, 'limits.json'), 'utf8'));
/** The smallest input of a function. Larger ones leave the processor's caches, and grow faster for that alone. */
const SIZE = 4096;
/** What takes less of the processor's time is repeated: a busy machine changes little of it. */
const MIN_MS = 6;
const [ROUNDS, RETRIES] = [4, 3];
const LIMIT = 2.2;

/** What is timed, by its name: created for a size. */
const FUNCTIONS = {
  'nonMaxSuppression: separate boxes': (size) => suppression(size, (index) => 2 * index),
  'nonMaxSuppression: equal boxes': (size) => suppression(size, () => 0),
  'nonMaxSuppression: merged boxes': (size) => suppression(size, (index) => index % 100, { duplicates: 'merge' }),
  'nonMaxSuppression: a class each': (size) => suppression(size, () => 0, {}, (index) => index),
  'decodeDetections: yoloHead': (size) => detections(results.yoloHead(), [1, 6, size], size),
  'topK: classes': (size) => {
    const result = { data: random(size), shape: [1, size] };
    return () => results.topK(result, { k: size / 4 });
  },
  'topK: allowed classes': (size) => {
    const labels = Array.from({ length: size }, (_, index) => `class ${index}`);
    const result = { data: random(size), shape: [1, size] };
    return () => results.topK(result, { labels, allow: labels.toReversed(), deny: ['none'] });
  },
  'toMask: pixels of the image': (size) => masking(size / 16, 0),
  'toMask: pixels of a turned image': (size) => masking(size / 16, 0.1),
  'argmaxMask: pixels': (size) => {
    const result = { data: random(8 * size), shape: [1, 8, size, 1] };
    return () => results.classShares(results.argmaxMask(result));
  },
  'calibrateScores: classes': (size) => {
    const sigmoids = Array.from({ length: size }, () => ({ scale: 1, slope: 1, offset: 0, minScore: null }));
    const calibration = { scoreTransformation: 'LOG', defaultScore: 0, sigmoids };
    const result = { data: random(size), shape: [1, size] };
    return () => results.calibrateScores(result, calibration);
  },
  'imageToTensor: pixels of the tensor': (size) => image({ width: 640, height: 64 }, size, {}),
  'imageToTensor: pixels of the image, antialias': (size) => image({ width: 512, height: size }, 64, { antialias: true }),
  'soundWindows: samples': (size) => {
    const samples = random(size);
    return () => sound.soundWindows(samples, { length: 400, hop: 160 });
  },
  'bertInputs: text': tokenizing({ kind: 'bert', vocabulary: '[UNK]\na\n##a\n##aa\nb\n##b' }, 'ab aab '),
  'bert: word': tokenizing({ kind: 'bert', vocabulary: '[UNK]\na\n##a\n##aa\nb\n##b' }, 'ab'),
  'bert: vocabulary': opening((size) => ({ kind: 'bert', vocabulary: `[UNK]\n${words(size).join('\n')}` })),
  'regex: text': tokenizing({ kind: 'regex', vocabulary: 'a 0\nb 1', delimiter: '[^a-z]+' }, 'ab  '),
  'regex: word': tokenizing({ kind: 'regex', vocabulary: 'a 0\nb 1', delimiter: '[^a-z]+' }, 'ab'),
  'regex: vocabulary': opening((size) => ({
    kind: 'regex',
    delimiter: ' +',
    vocabulary: words(size).map((word, index) => `${word} ${index}`).join('\n'),
  })),
  ...Object.fromEntries(
    ['unigram', 'bpe'].flatMap((algorithm) => [
      [`sentencePiece ${algorithm}: word`, tokenizing(sentencePiece(algorithm, PIECES()), 'abca')],
      [`sentencePiece ${algorithm}: equal letters`, tokenizing(sentencePiece(algorithm, PIECES()), 'a')],
      [`sentencePiece ${algorithm}: spaces`, tokenizing(sentencePiece(algorithm, PIECES()), ' ')],
      [`sentencePiece ${algorithm}: unknown letters`, tokenizing(sentencePiece(algorithm, PIECES()), 'xyz')],
      [`sentencePiece ${algorithm}: pieces`, opening((size) => sentencePiece(algorithm, words(size)))],
    ]),
  ),
  ...Object.fromEntries(
    ['BPE', 'WordPiece', 'Unigram'].flatMap((type) => [
      [`tokenizer.json ${type}: word`, tokenizing(tokenizerJson(type, PIECES()), 'abca')],
      [`tokenizer.json ${type}: equal letters`, tokenizing(tokenizerJson(type, PIECES()), 'a')],
      [`tokenizer.json ${type}: words`, tokenizing(tokenizerJson(type, PIECES()), 'abca aab ')],
      [`tokenizer.json ${type}: unknown letters`, tokenizing(tokenizerJson(type, PIECES()), 'xyz')],
      [`tokenizer.json ${type}: pieces`, opening((size) => tokenizerJson(type, [...PIECES(), ...words(size)]))],
    ]),
  ),
  'tokenizer.json: added tokens': opening((size) => tokenizerJson('WordPiece', PIECES(), words(size))),
  'tokenizer.json: added tokens in a text': tokenizing(tokenizerJson('WordPiece', PIECES(), ['<a>', '<ab>']), '<a>a<'),
  'tokenizer.json: normalizers': tokenizing(normalizing(), 'Äb  c\t'),
  'tokenizer.json: byte level': tokenizing(byteLevel(), 'ab ä '),
};

/** What is timed of a model's file. */
const OF_MODELS = {
  load: async (file) => (await runtime.loadTFLiteModel(file, { device: 'cpu' })).dispose(),
  'explain and export': async (file) => {
    const explanation = await explain.explainModel(file, limits, {
      webnnDelegateOptions: { ignorePartitionCost: true },
    });
    explain.renderReport(explanation.report);
    explain.exportGraphsAsScript(explanation, 'it');
  },
  'plan memory': async (file) => explain.renderMemoryPlan(await explain.planMemory(file)),
  'read metadata': async (file) => runtime.readModelMetadata(file),
  'load on the polyfill, run by name': async (file) => {
    const webnnDelegateOptions = { polyfill: 'tflite', ignorePartitionCost: true };
    const model = await runtime.loadTFLiteModel(file, { device: 'webnn', webnnDelegateOptions });
    await model.run(Object.fromEntries(model.inputs.map(({ name, shape }) => [name, random(4)])));
    await model.report();
    await model.dispose();
  },
};
/** What is timed of a loaded model. */
const OF_LOADED_MODELS = {
  'run with a state, and profile': async (model) => {
    const names = (tensors) => tensors.map(({ name }) => name);
    const outputs = names(model.outputs);
    const state = await model.createState(
      Object.fromEntries(names(model.inputs).map((name, position) => [name, outputs[position]])),
    );
    await model.runSignature('main', {}, { state });
    await model.getProfilingResults();
  },
};
/** What only concerns some models. */
const ONLY_FOR = {
  'read metadata': ['described outputs', 'labels', 'inputs and outputs'],
  'run with a state, and profile': ['inputs and outputs'],
  'load on the polyfill, run by name': ['nodes', 'inputs and outputs', 'inputs of a node', 'readers'],
};
/** explainModel() accepts at most 100 subgraphs that signatures run besides their own. */
const NOT_FOR = { 'explain and export': ['subgraphs of signatures'] };

for (const [name, prepare] of Object.entries(FUNCTIONS)) {
  if (name.includes(only)) print(name, await grown(prepare));
}
for (const [model, sizes] of modelFiles()) {
  const msOf = [
    ...Object.entries(OF_MODELS).map(([what, run]) => [what, (file) => timed(() => run(file))]),
    ...Object.entries(OF_LOADED_MODELS).map(([what, run]) => [what, (file) => timedLoaded(file, run)]),
  ];
  for (const [what, ms] of msOf) {
    const name = `${model}: ${what}`;
    if (!(ONLY_FOR[what] ?? [model]).includes(model) || NOT_FOR[what]?.includes(model)) continue;
    if (name.includes(only)) print(name, await grownModel(model, sizes, ms));
  }
}

function print(name, { sizes, ms, factor }) {
  console.log(JSON.stringify({ name, sizes, ms: ms.map((time) => Math.round(100 * time) / 100), factor }));
}

async function grown(prepare) {
  const run = await prepare(SIZE);
  const ms = Math.min(await timed(run), await timed(run), await timed(run));
  const times = Math.ceil(MIN_MS / Math.max(ms, 0.001));
  return smallest([SIZE, 2 * SIZE, 4 * SIZE], async (size) => {
    const each = await prepare(size);
    const total = await timed(async () => {
      for (let time = 0; time < times; time++) await each();
    });
    return total / times;
  });
}

async function grownModel(model, sizes, ms) {
  const files = new Map(sizes.map((size) => [size, readFileSync(join(modelsDir, `${model}-${size}.tflite`))]));
  const [one, ...others] = sizes;
  return smallest(others, (size) => ms(files.get(size)), one);
}

/**
 * The minimum time of each size, interleaved; again where noise may have made it grow. Without the time of the size `one`,
 * in the same rounds: what is less than a tenth of that cannot be told from it.
 */
async function smallest(sizes, ms, one = null) {
  const minMs = new Map();
  let ownMs = [];
  let factor = Infinity;
  for (let attempt = 0; attempt < RETRIES && factor > LIMIT; attempt++) {
    for (let round = 0; round < ROUNDS; round++) {
      for (const size of one === null ? sizes : [one, ...sizes]) {
        minMs.set(size, Math.min(minMs.get(size) ?? Infinity, await ms(size)));
      }
    }
    const base = minMs.get(one) ?? 0;
    ownMs = sizes.map((size) => Math.max(minMs.get(size) - base, base / 10));
    factor = (ownMs.at(-1) / ownMs[0]) ** (1 / (sizes.length - 1));
  }
  return { sizes, ms: ownMs, factor: Math.round(100 * factor) / 100 };
}

async function timed(run) {
  globalThis.gc?.();
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

async function timedLoaded(file, run) {
  const model = await runtime.loadTFLiteModel(file, { device: 'cpu', enableProfiling: true });
  const ms = await timed(() => run(model));
  await model.dispose();
  return ms;
}

/** [model, sizes] by the names of the files. */
function modelFiles() {
  const found = new Map();
  for (const file of readdirSync(modelsDir)) {
    const [, model, size] = /^(.*)-(\d+)\.tflite$/.exec(file) ?? [];
    if (model !== undefined) found.set(model, [...(found.get(model) ?? []), Number(size)]);
  }
  return [...found].map(([model, sizes]) => [model, sizes.sort((a, b) => a - b)]);
}

function random(count) {
  let state = 1;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state / 2 ** 32;
  });
}

/** Different words of letters. */
function words(count) {
  return Array.from({ length: count }, (_, index) => `w${index.toString(26)}`);
}

function suppression(size, leftOf, options = {}, indexOf = () => 0) {
  const scores = random(size);
  const found = Array.from({ length: size }, (_, position) => ({
    box: { left: leftOf(position), top: 0, width: 1, height: 1 },
    score: scores[position],
    index: indexOf(position),
    keyPoints: [],
  }));
  return () => results.nonMaxSuppression(found, options);
}

function detections(head, shape, size) {
  const result = { data: random(shape[1] * size), shape };
  return () => results.decodeDetections([result], { head, threshold: 0.5 });
}

function masking(height, rotation) {
  const image = { width: 1024, height };
  const placement = { image, region: { center: { x: 512, y: height / 2 }, ...image, rotation } };
  return () => results.toMask({ data: random(4096), shape: [1, 64, 64, 1] }, { placement });
}

function image({ width, height }, columns, options) {
  const pixels = { data: new Uint8ClampedArray(4 * width * height), width, height };
  const model = { inputs: [{ name: 'x', index: 0, dtype: 'float32', shape: [1, 64, columns, 3], quantization: null }] };
  return () => images.imageToTensor(pixels, model, { range: [0, 1], ...options });
}

function tokenizing(source, part) {
  return async (size) => {
    const tokenizer = await text.openTokenizer(source);
    const content = part.repeat(Math.ceil(size / part.length));
    return () => tokenizer.tokenize(content);
  };
}

function opening(sourceOf) {
  return (size) => {
    const source = sourceOf(size);
    return () => text.openTokenizer(source);
  };
}

function PIECES() {
  return ['a', 'b', 'c', 'aa', 'ab', 'ca', 'abc', 'aaaa', 'aab', 'aaaaaaaa'];
}

/** A SentencePiece model in protocol buffers. */
function sentencePiece(algorithm, pieces) {
  const field = (number, bytes) => [...varint(8 * number + 2), ...varint(bytes.length), ...bytes];
  const piece = (content, score, type) => {
    const bits = new Uint8Array(Float32Array.of(score).buffer);
    return field(1, [...field(1, new TextEncoder().encode(content)), 0x15, ...bits, 0x18, type]);
  };
  const all = ['\u2581', ...pieces].map((content, index) => piece(content, -index, 1));
  const trainer = field(2, [0x18, algorithm === 'bpe' ? 2 : 1]);
  return { kind: 'sentencePiece', model: Uint8Array.from([piece('<unk>', 0, 2), ...all, trainer, field(3, [])].flat()) };
}

function varint(value) {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
}

function tokenizerJson(type, pieces, added = [], more = {}) {
  const unknown = '[UNK]';
  const all = [unknown, ...pieces];
  const ids = Object.fromEntries(all.map((piece, index) => [piece, index]));
  const models = {
    BPE: { vocab: ids, merges: pieces.flatMap(halves), unk_token: unknown },
    WordPiece: {
      vocab: { ...ids, ...Object.fromEntries(pieces.map((piece, index) => [`##${piece}`, all.length + index])) },
      unk_token: unknown,
      max_input_chars_per_word: 100,
      continuing_subword_prefix: '##',
    },
    Unigram: { vocab: all.map((piece, index) => [piece, -index]), unk_id: 0 },
  };
  const tokens = added.map((content, index) => ({ id: 1e6 + index, content, special: false }));
  const json = {
    added_tokens: tokens,
    normalizer: null,
    pre_tokenizer: type === 'Unigram' ? null : { type: 'WhitespaceSplit' },
    model: { type, ...models[type] },
    ...more,
  };
  return { kind: 'tokenizer.json', json: JSON.stringify(json) };
}

function halves(piece) {
  const known = PIECES();
  if (piece.length < 2 || !known.includes(piece)) return [];
  const cut = [...piece].findIndex((_, at) => at > 0 && known.includes(piece.slice(0, at)) && known.includes(piece.slice(at)));
  return cut < 0 ? [] : `${piece.slice(0, cut)} ${piece.slice(cut)}`;
}

function normalizing() {
  const normalizers = [
    { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: true, lowercase: true },
    { type: 'Replace', pattern: { Regex: ' +' }, content: ' ' },
    { type: 'Strip', strip_left: true, strip_right: true },
    { type: 'NFKC' },
  ];
  return tokenizerJson('WordPiece', PIECES(), [], { normalizer: { type: 'Sequence', normalizers } });
}

function byteLevel() {
  const splitter = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
  return tokenizerJson('BPE', PIECES(), [], { pre_tokenizer: splitter });
}
