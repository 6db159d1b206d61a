/** The package's types in a strict project for pages, without TensorFlow.js. Compiled, never run. */

import { expectTypeOf } from 'expect-type';
import type {
  CustomOps,
  DType,
  ExecutionMode,
  InputInfo,
  ListedResults,
  MLContext,
  MLTensor,
  Model,
  ModelInputs,
  ModelMetadata,
  ModelReport,
  ModelState,
  NamedResults,
  ProfileItem,
  TensorInfo,
  TensorResult,
  TFLiteModel,
  TFLiteModelOptions,
  TypedArray,
} from 'tflite-webnn';
import * as tflite from 'tflite-webnn';
import type * as cpu from 'tflite-webnn/cpu';
import * as explain from 'tflite-webnn/explain';
import * as image from 'tflite-webnn/image';
import * as language from 'tflite-webnn/language';
import type * as litert from 'tflite-webnn/litert';
import * as metadata from 'tflite-webnn/metadata';
import * as node from 'tflite-webnn/node';
import * as polyfill from 'tflite-webnn/polyfill';
import * as results from 'tflite-webnn/results';
import type * as sound from 'tflite-webnn/sound';
import * as tasks from 'tflite-webnn/tasks';
import * as text from 'tflite-webnn/text';
import * as tfjs from 'tflite-webnn/tfjs';
import type * as vision from 'tflite-webnn/vision';
import type { WorkerModel } from 'tflite-webnn/worker';
import * as worker from 'tflite-webnn/worker';

declare const model: TFLiteModel;
declare const remote: WorkerModel;
declare const context: MLContext;
declare const pixels: Float32Array;

type IsAny<T> = 0 extends 1 & T ? true : false;
/** Names of members whose type is `any`, or which take or return it. */
type AnyMembers<T> = {
  [Name in keyof T]: IsAny<T[Name]> extends true
    ? Name
    : T[Name] extends (...args: infer Arguments) => infer Result
      ? true extends IsAny<Result> | IsAny<Awaited<Result>> | IsAny<Arguments[number]>
        ? Name
        : never
      : never;
}[keyof T];

export function nothingIsAny(): void {
  expectTypeOf<AnyMembers<typeof tflite>>().toBeNever();
  expectTypeOf<AnyMembers<typeof explain>>().toBeNever();
  expectTypeOf<AnyMembers<typeof image>>().toBeNever();
  expectTypeOf<AnyMembers<typeof results>>().toBeNever();
  expectTypeOf<AnyMembers<typeof tasks>>().toBeNever();
  expectTypeOf<AnyMembers<typeof sound>>().toBeNever();
  expectTypeOf<AnyMembers<typeof text>>().toBeNever();
  expectTypeOf<AnyMembers<typeof tfjs>>().toBeNever();
  expectTypeOf<AnyMembers<tfjs.TFLiteModel>>().toBeNever();
  expectTypeOf<AnyMembers<TFLiteModel>>().toBeNever();
  expectTypeOf<AnyMembers<WorkerModel>>().toBeNever();
  expectTypeOf<AnyMembers<worker.TFLiteWorker>>().toBeNever();
  expectTypeOf<AnyMembers<typeof worker>>().toBeNever();
  expectTypeOf<AnyMembers<ModelReport>>().toBeNever();
  expectTypeOf<AnyMembers<TensorInfo>>().toBeNever();
  expectTypeOf<AnyMembers<Required<TFLiteModelOptions>>>().toBeNever();
}

/** Names of exported classes, but for errors, that a program can construct. */
type Constructible<Entry> = {
  [Name in keyof Entry]: Entry[Name] extends new (
    ...args: never
  ) => infer Made
    ? Made extends Error
      ? never
      : Name
    : never;
}[keyof Entry];

export function constructors(): void {
  expectTypeOf<Constructible<typeof tflite>>().toBeNever();
  expectTypeOf<Constructible<typeof metadata>>().toBeNever();
  expectTypeOf<Constructible<typeof explain>>().toBeNever();
  expectTypeOf<Constructible<typeof image>>().toBeNever();
  expectTypeOf<Constructible<typeof results>>().toBeNever();
  expectTypeOf<Constructible<typeof sound>>().toBeNever();
  expectTypeOf<Constructible<typeof text>>().toBeNever();
  expectTypeOf<Constructible<typeof tasks>>().toBeNever();
  expectTypeOf<Constructible<typeof language>>().toBeNever();
  expectTypeOf<Constructible<typeof cpu>>().toBeNever();
  expectTypeOf<Constructible<typeof polyfill>>().toBeNever();
  expectTypeOf<Constructible<typeof worker>>().toEqualTypeOf<'TFLiteWorker'>();
  expectTypeOf<Constructible<typeof tfjs>>().toEqualTypeOf<'TFLiteModel'>();
  // As their peers have them.
  expectTypeOf<Constructible<typeof litert>>().toEqualTypeOf<'Environment' | 'Tensor'>();
  expectTypeOf<Constructible<typeof vision>>().toEqualTypeOf<
    'DrawingUtils' | 'ImageSegmenterResult' | 'PoseLandmarkerResult'
  >();
}

export async function loading(): Promise<void> {
  expectTypeOf(tflite.loadTFLiteModel).returns.resolves.toEqualTypeOf<TFLiteModel>();
  const sources = [
    'model.tflite',
    new URL('https://a.example/'),
    new ArrayBuffer(8),
    new Uint8Array(8),
    new Response(),
  ];
  for (const source of sources) await tflite.loadTFLiteModel(source);
  await tflite.loadTFLiteModel(new ReadableStream<Uint8Array>());
  // @ts-expect-error: bytes are a Uint8Array
  await tflite.loadTFLiteModel(new Float32Array(8));
}

export async function options(): Promise<void> {
  const provided: TFLiteModelOptions = {
    signal: AbortSignal.timeout(1000),
    onProgress: ({ phase, loadedBytes, totalBytes }) => {
      expectTypeOf(phase).toEqualTypeOf<'download' | 'compile' | 'init' | 'build'>();
      expectTypeOf(loadedBytes).toBeNumber();
      expectTypeOf(totalBytes).toEqualTypeOf<number | null>();
    },
    numThreads: 4,
    enableProfiling: true,
    maxProfilingBufferEntries: 100,
    inputShapes: [[1, 224, 224, 3]],
    maxKeptShapes: 1,
    device: 'gpu',
    enableWebnnDelegate: true,
    webnnDelegateOptions: { devicePreference: 'npu', powerPreference: 'low-power', context, allowedOps: ['CONV_2D'] },
    variant: 'auto',
  };
  await tflite.loadTFLiteModel('model.tflite', provided);
  // @ts-expect-error: an option that is left out is not one that is undefined
  await tflite.loadTFLiteModel('model.tflite', { numThreads: undefined });
  // @ts-expect-error: no such device
  await tflite.loadTFLiteModel('model.tflite', { device: 'tpu' });
  // @ts-expect-error: no such device
  await tflite.loadTFLiteModel('model.tflite', { webnnDelegateOptions: { devicePreference: 'tpu' } });
  // @ts-expect-error: no such option
  await tflite.loadTFLiteModel('model.tflite', { enableWebNN: true });
}

export async function running(): Promise<void> {
  const [first, second] = await model.run(pixels);
  expectTypeOf(first).toEqualTypeOf<TensorResult>();
  expectTypeOf(second).toEqualTypeOf<TensorResult | undefined>();
  expectTypeOf(model.run([pixels])).resolves.toEqualTypeOf<ListedResults>();
  expectTypeOf(model.run({ data: pixels, shape: [4] })).resolves.toEqualTypeOf<ListedResults>();
  expectTypeOf(model.run({ image: pixels }, { outputs: { scores: pixels } })).resolves.toEqualTypeOf<NamedResults>();
  const inputs: ModelInputs = Math.random() < 0.5 ? pixels : { image: pixels };
  expectTypeOf(await model.run(inputs)).toExtend<ListedResults | NamedResults>();
  expectTypeOf(first.data).toExtend<TypedArray>();
  expectTypeOf(first.shape).toEqualTypeOf<readonly number[]>();
  expectTypeOf(first.dequantized()).toEqualTypeOf<Float32Array>();
  if (first.dtype === 'float32') expectTypeOf(Math.max(...first.data)).toBeNumber();
  if (first.dtype === 'int64') expectTypeOf(first.data).toEqualTypeOf<BigInt64Array>();
  if (first.dtype === 'string') expectTypeOf(tflite.decodeStrings(first.data)).toEqualTypeOf<string[]>();
  // @ts-expect-error: BigInts are no numbers
  if (first.dtype === 'int64') Math.max(...first.data);
  // @ts-expect-error: no result is packed
  if (first.dtype === 'int4') first.data;
  const { logits } = await model.runSignature<'logits'>('decode', { x: pixels });
  expectTypeOf(logits).toEqualTypeOf<TensorResult>();
  const signal: AbortSignal | undefined = Math.random() < 0.5 ? undefined : AbortSignal.timeout(1000);
  await model.run(pixels, { signal });
  // @ts-expect-error: arrays for results are among the options
  await model.run(pixels, [pixels]);
  await model.run([pixels, new Int32Array(4), ['a string']]);
  await model.run({ image: pixels, size: { data: BigInt64Array.of(2n), shape: [1] } });
  await model.run(['a', 'b'], { outputs: [new Uint8Array(8), undefined] });
  // @ts-expect-error: nested lists are no input
  await model.run([[1, 2, 3]]);
  expectTypeOf(
    model.runSignature('serving_default', { x: pixels }, { outputs: { y: pixels } }),
  ).resolves.toEqualTypeOf<NamedResults>();
  for await (const results of model.stream([pixels, pixels], { inFlight: 2 })) {
    expectTypeOf(results).toEqualTypeOf<ListedResults>();
  }
  for await (const results of model.stream([{ x: pixels }])) expectTypeOf(results).toEqualTypeOf<NamedResults>();
  expectTypeOf(model.getProfilingResults()).resolves.toEqualTypeOf<ProfileItem[]>();
  expectTypeOf(model.getProfilingSummary()).resolves.toBeString();
}

export async function shapes(): Promise<void> {
  await model.resizeInputs([2, 4]);
  await model.resizeInputs([[2, 4], [2]]);
  await model.resizeInputs({ x: [2, 4] });
  // @ts-expect-error: a shape is a list
  await model.resizeInputs(4);
}

export function describing(): void {
  expectTypeOf(model.inputs).toEqualTypeOf<readonly InputInfo[]>();
  expectTypeOf(model.inputs).toExtend<readonly TensorInfo[]>();
  expectTypeOf(model.inputs[0]?.quantize([1])).toExtend<TypedArray | undefined>();
  expectTypeOf<TensorInfo['dtype']>().toEqualTypeOf<DType>();
  expectTypeOf<'float16'>().toExtend<DType>();
  expectTypeOf(model.executionMode).toEqualTypeOf<ExecutionMode>();
  expectTypeOf(model.device).toBeString();
  expectTypeOf(model.report()).resolves.toEqualTypeOf<ModelReport>();
  expectTypeOf<ModelReport['webnn']['reason']>().toEqualTypeOf<string | null>();
  expectTypeOf(tflite.renderReport).toBeCallableWith({} as ModelReport);
  // @ts-expect-error: what describes a model is not written to
  model.inputs = [];
  // @ts-expect-error: neither are a tensor's sizes
  model.inputs[0]?.shape.push(1);
}

/** A program for models anywhere. */
async function program(load: (source: string, options: TFLiteModelOptions) => Promise<Model>): Promise<string> {
  await using loaded = await load('model.tflite', { enableWebnnDelegate: true });
  const [scores] = await loaded.run(pixels, { outputs: [new Float32Array(8)], transfer: true });
  const { logits } = await loaded.runSignature('serving_default', { image: pixels });
  for await (const results of loaded.stream([pixels], { inFlight: 2, transfer: true })) results[0].dequantized();
  await using state = await loaded.createState(['kv_cache_*']);
  expectTypeOf(state).toEqualTypeOf<ModelState>();
  expectTypeOf(await state.read('kv_cache_k_0')).toEqualTypeOf<TypedArray>();
  await loaded.run(pixels, { state });
  await loaded.resizeInputs([2, 4]);
  await loaded.resetState();
  const items = await loaded.getProfilingResults();
  const { webnn } = await loaded.report();
  await loaded.dispose();
  return `${loaded.device} ${loaded.executionMode} ${webnn.reason} ${items.length} ${scores?.name} ${logits?.name}`;
}

export async function anywhere(): Promise<void> {
  expectTypeOf<TFLiteModel>().toExtend<Model>();
  expectTypeOf<WorkerModel>().toExtend<Model>();
  await program(tflite.loadTFLiteModel);
  const pages = new worker.TFLiteWorker();
  await program((source, options) => pages.loadTFLiteModel(source, options));
  await program(node.loadTFLiteModel);
  const thread = new node.TFLiteWorker();
  await program((source, options) => thread.loadTFLiteModel(source, options));
}

export async function endingWithABlock(): Promise<void> {
  using loaded = await tflite.loadTFLiteModel('model.tflite');
  using own = new worker.TFLiteWorker({ url: 'model_worker.mjs' });
  await using inWorker = await own.loadTFLiteModel('model.tflite', { transfer: true });
  using state = await loaded.createState();
  using classifier = await tasks.ImageClassifier.create(loaded);
  expectTypeOf(own.dispose()).toBeVoid();
  for (const made of [loaded, own, inWorker, state, classifier]) {
    expectTypeOf(made).toExtend<Disposable & AsyncDisposable & { dispose(): void | Promise<void> }>();
  }
  expectTypeOf(inWorker).toEqualTypeOf<WorkerModel>();
  expectTypeOf(loaded.dispose()).toBeVoid();
}

export async function tensors(): Promise<void> {
  const input = await model.createInputTensor('image');
  const output = await model.createOutputTensor(0, { writable: true });
  expectTypeOf(input).toEqualTypeOf<MLTensor>();
  expectTypeOf(model.dispatch(input, output)).toBeVoid();
  expectTypeOf(model.dispatch({ image: input }, { scores: output })).toBeVoid();
  expectTypeOf(model.dispatch(pixels, new Float32Array(8))).toEqualTypeOf<Promise<void>>();
  expectTypeOf(model.readTensor(output)).resolves.toEqualTypeOf<TypedArray>();
  expectTypeOf(model.context).toEqualTypeOf<MLContext | null>();
  // @ts-expect-error: a worker keeps its MLTensors
  remote.dispatch(input, output);
}

export async function workers(): Promise<void> {
  expectTypeOf(remote.run(pixels, { transfer: true })).resolves.toEqualTypeOf<ListedResults>();
  expectTypeOf(remote.run({ x: pixels })).resolves.toEqualTypeOf<NamedResults>();
  expectTypeOf(remote.report()).resolves.toEqualTypeOf<ModelReport>();
  expectTypeOf(remote.getProfilingResults()).resolves.toEqualTypeOf<ProfileItem[]>();
  expectTypeOf(remote.runSignature('f', { x: pixels })).resolves.toEqualTypeOf<NamedResults>();
  // @ts-expect-error: a thread of Node
  new worker.TFLiteWorker({ worker: { on() {}, postMessage() {}, terminate() {}, ref() {}, unref() {} } });
  // @ts-expect-error: what waits for a worker is a promise
  remote.runSync(pixels);
}

export function errors(error: unknown): string {
  if (error instanceof tflite.ModelFetchError) expectTypeOf(error.status).toEqualTypeOf<number | null>();
  if (!(error instanceof tflite.TFLiteWebnnError)) return '';
  expectTypeOf(error.code).toBeString();
  return error.message;
}

export async function images(canvas: HTMLCanvasElement, tensor: MLTensor): Promise<void> {
  const input = await image.imageToTensor(canvas, model, { fit: 'letterbox', range: [0, 1] });
  expectTypeOf(input.data).toEqualTypeOf<TypedArray>();
  await model.run(input);
  expectTypeOf((await image.imageToTensor(canvas, model, { tensor })).data).toEqualTypeOf<MLTensor>();
  // @ts-expect-error: only a model writes MLTensors
  await image.imageToTensor(canvas, { shape: [1, 8, 8, 3], dtype: 'uint8' }, { tensor });
  // @ts-expect-error: no such fit
  await image.imageToTensor(canvas, model, { fit: 'cover' });
  const classifier = await tasks.ImageClassifier.create(model, { labels: ['cat'], k: 1 });
  expectTypeOf(classifier.classify(canvas)).resolves.toEqualTypeOf<results.Category[]>();
  await using detector = await tasks.ObjectDetector.create(remote, { head: results.yoloHead() });
  expectTypeOf(detector.detect(canvas)).resolves.toEqualTypeOf<results.Detection[]>();
  const mask = results.argmaxMask({ ...input, data: pixels }, { placement: input.placement });
  expectTypeOf(mask.classes).toEqualTypeOf<Uint8Array>();
  // @ts-expect-error: a classifier detects nothing
  await classifier.detect(canvas);
}

export async function words(vocabulary: string): Promise<void> {
  const tokenizer = await text.openTokenizer({ kind: 'bert', vocabulary });
  await using classifier = await tasks.BertNLClassifier.create(model, { tokenizer, truncate: true, k: 1 });
  expectTypeOf(classifier.classify('a text')).resolves.toEqualTypeOf<results.Category[]>();
  await using answerer = await tasks.BertQuestionAnswerer.create(remote, { tokenizer });
  expectTypeOf(answerer.answer('a question', 'a text')).resolves.toEqualTypeOf<tasks.Answer[]>();
  expectTypeOf(text.bertInputs(tokenizer, 'a text', { length: 8 }).ids).toEqualTypeOf<Int32Array>();
  await using embedder = await language.TextEmbedder.create(remote, { tokenizer, pooling: 'first' });
  expectTypeOf(embedder.embed('a text')).resolves.toEqualTypeOf<Float32Array>();
  await using generator = await language.TextGenerator.create(model, { tokenizer, device: 'webnn' });
  for await (const piece of generator.generate('a prompt', { temperature: 1, stop: ['.'] }))
    expectTypeOf(piece).toBeString();
  // @ts-expect-error: a stop text is a text
  generator.generate('a prompt', { stop: 3 });
  // @ts-expect-error: a tokenizer of words needs an expression
  await text.openTokenizer({ kind: 'regex', vocabulary });
}

export async function tools(): Promise<void> {
  expectTypeOf(tflite.getWasmFeatures()).resolves.toExtend<{ simd: boolean; multiThreading: boolean }>();
  expectTypeOf(tflite.decodeStrings(tflite.encodeStrings(['a']))).toEqualTypeOf<string[]>();
  expectTypeOf(tfjs.getDTypeFromTFLiteType('int8')).toEqualTypeOf<
    'float32' | 'int32' | 'bool' | 'string' | undefined
  >();
  const explanation = await explain.explainModel('model.tflite', context.opSupportLimits());
  expectTypeOf(explanation.report).toEqualTypeOf<ModelReport>();
  expectTypeOf(explain.exportGraphsAsScript(explanation, 'title')).toBeString();
}

export async function whatTheFileKnows(file: Blob): Promise<void> {
  expectTypeOf(model.metadata).resolves.toEqualTypeOf<ModelMetadata | null>();
  const own = await metadata.readModelMetadata(file, { signal: AbortSignal.timeout(1000) });
  expectTypeOf(own?.outputs.map((output) => metadata.labelsFor(output, 'de'))).toEqualTypeOf<
    (readonly string[] | null)[] | undefined
  >();
  const bundle = await metadata.openTaskBundle(file);
  expectTypeOf(bundle.bytes('a.tflite')).toExtend<Uint8Array>();
  expectTypeOf(bundle.open('b.task')).resolves.toEqualTypeOf<metadata.TaskBundle>();
}

export async function webnn(ml: polyfill.ML, builder: polyfill.MLGraphBuilder): Promise<void> {
  expectTypeOf(polyfill.install({ engine: 'tflite', force: true })).resolves.toBeBoolean();
  expectTypeOf(polyfill.install({ engine: polyfill.tfliteEngine({ wasmPath: '/wasm/' }) })).resolves.toBeBoolean();
  // @ts-expect-error: an engine that there is not
  polyfill.install({ engine: 'onnx' });
  const own = await ml.createContext({ powerPreference: 'low-power' });
  await explain.explainModel('model.tflite', own.opSupportLimits());
  await tflite.loadTFLiteModel('model.tflite', { enableWebnnDelegate: true, webnnDelegateOptions: { context: own } });
  const input = builder.input('a', { dataType: 'float32', shape: [1, 3, 8, 8] });
  expectTypeOf(builder.maxPool2d(input, { strides: [2, 2] })).toEqualTypeOf<polyfill.MLOperand>();
  expectTypeOf(builder.split(input, 3, { axis: 1 })).toEqualTypeOf<readonly polyfill.MLOperand[]>();
  // @ts-expect-error: an option that the operator has not
  builder.relu(input, { alpha: 1 });
  expectTypeOf(own.opSupportLimits().conv2d?.bias?.dataTypes).toEqualTypeOf<polyfill.MLDataTypeList | undefined>();
  expectTypeOf(polyfill.graphToTFLite(builder, { a: input })).toExtend<Uint8Array>();
}

/** The type of a tensor tells its array, also of an output. */
export async function customOps(): Promise<void> {
  const ops: CustomOps = {
    Tanh: {
      prepare([x], options, node) {
        expectTypeOf(options).toEqualTypeOf<Uint8Array>();
        if (x?.dtype !== 'float32') throw new TypeError('Tanh computes float32');
        expectTypeOf(x.data).toEqualTypeOf<Float32Array | null>();
        node.state = x.shape.length;
        return [{ shape: x.shape, dtype: x.dtype }];
      },
      run([x], [y]) {
        if (x?.dtype !== 'float32' || y?.dtype !== 'float32') return;
        y.data.set(x.data.map(Math.tanh));
        y.resize([1, 2]);
      },
    },
    Nothing: { run: () => undefined, prepare() {} },
    Open: { run: () => undefined, prepare: () => [{ shape: null }, {}] },
    // @ts-expect-error it has no run()
    Wrong: { prepare: () => [] },
  };
  await tflite.loadTFLiteModel('model.tflite', { customOps: ops });
  await tflite.loadTFLiteModel('model.tflite', { customOps: new URL('ops.mjs', 'https://example.org') });
  await tasks.ImageClassifier.create('model.tflite', { customOps: ops });
}
