/** A model file's metadata. */

import { Builder, type Offset } from 'flatbuffers';
import { ArchiveError, labelsFor, MalformedModelError, ModelFetchError, NotATFLiteModelError } from 'tflite-webnn';
import { readModelMetadata } from 'tflite-webnn/metadata';
import { describe, expect, it, vi } from 'vitest';
import { ImageSegmenterOptions, ObjectDetectorOptions } from '../src/generated/mediapipe_schema.js';
import { Model, ModelMetadata, SubGraph } from '../src/generated/metadata_schema.js';
import { type Content, describedModel, flatbufferOf } from './fakes/metadata_model.js';

const IMAGE = [1, 4, 4, 3];
const SCORES = [1, 3];

/** A classifier of three classes: its output's metadata, on top of labels in two languages. */
function classifier(
  output: Content = {},
  input: Content = {},
  files: Readonly<Record<string, string>> = {},
): Uint8Array {
  return describedModel({
    inputs: [IMAGE],
    outputs: [SCORES],
    metadata: {
      name: 'classifier',
      description: 'three animals',
      version: 'v1',
      author: 'the tests',
      license: 'Apache-2.0',
      minParserVersion: '1.0.0',
      subgraphMetadata: [
        {
          inputTensorMetadata: [{ name: 'image', ...input }],
          outputTensorMetadata: [
            {
              name: 'scores',
              associatedFiles: [
                { name: 'labels.txt', type: 'TENSOR_AXIS_LABELS', description: 'animals' },
                { name: 'labels_de.txt', type: 'TENSOR_AXIS_LABELS', locale: 'de' },
              ],
              ...output,
            },
          ],
        },
      ],
    },
    files: { 'labels.txt': 'cat\ndog\nbird\n', 'labels_de.txt': 'Katze\r\nHund\r\nVogel', ...files },
  });
}

const normalization = (mean: number[], std: number[]): Content => ({
  processUnits: [{ options: { kind: 'NormalizationOptions', mean, std } }],
});

describe('readModelMetadata()', () => {
  it('reads what TFLite Metadata has', async () => {
    const input = {
      description: 'an image',
      dimensionNames: ['batch', 'height', 'width', 'channels'],
      content: {
        contentProperties: { kind: 'ImageProperties', colorSpace: 'RGB', defaultSize: { width: 4, height: 4 } },
        range: { min: 1, max: 2 },
      },
      stats: { min: [-1], max: [1] },
      ...normalization([127.5], [127.5]),
    };
    const threshold = { options: { kind: 'ScoreThresholdingOptions', globalScoreThreshold: 0.25 } };
    const metadata = await readModelMetadata(classifier({ processUnits: [threshold] }, input));
    expect(metadata).toMatchObject({
      name: 'classifier',
      description: 'three animals',
      version: 'v1',
      author: 'the tests',
      license: 'Apache-2.0',
      minParserVersion: '1.0.0',
      custom: [],
      ultralytics: null,
    });
    expect(metadata?.inputs[0]).toMatchObject({
      name: 'image',
      description: 'an image',
      dimensionNames: ['batch', 'height', 'width', 'channels'],
      content: { kind: 'ImageProperties', colorSpace: 'RGB', defaultSize: { width: 4, height: 4 } },
      valueRange: { min: 1, max: 2 },
      stats: { min: [-1], max: [1] },
      normalization: { mean: [127.5], std: [127.5] },
      labels: [],
    });
    expect(metadata?.outputs[0]).toMatchObject({ name: 'scores', scoreThreshold: 0.25, normalization: null });
    expect(metadata?.files.map(({ name }) => name)).toEqual(['labels.txt', 'labels_de.txt']);
  });

  it('returns names of classes in the language that is requested', async () => {
    const output = (await readModelMetadata(classifier()))?.outputs[0];
    expect(output?.labels).toEqual([
      { locale: null, of: 'axis', file: 'labels.txt', names: ['cat', 'dog', 'bird'] },
      { locale: 'de', of: 'axis', file: 'labels_de.txt', names: ['Katze', 'Hund', 'Vogel'] },
    ]);
    const tensor = { labels: output?.labels ?? [] };
    expect(labelsFor(tensor)?.[0]).toBe('cat');
    expect(labelsFor(tensor, 'de')?.[0]).toBe('Katze');
    expect(labelsFor(tensor, 'fr')?.[0]).toBe('cat');
    expect(labelsFor({ labels: tensor.labels.slice(1) })?.[0]).toBe('Katze');
    expect(labelsFor({ labels: [] })).toBeNull();
  });

  it('reads score calibration, with classes that have none', async () => {
    const output = {
      associatedFiles: [{ name: 'calibration.txt', type: 'TENSOR_AXIS_SCORE_CALIBRATION' }],
      processUnits: [{ options: { kind: 'ScoreCalibrationOptions', scoreTransformation: 'LOG', defaultScore: 0.5 } }],
    };
    const files = { 'calibration.txt': '1,2,3\n\n0.5,-1,0,0.25\n' };
    const metadata = await readModelMetadata(classifier(output, {}, files));
    expect(metadata?.outputs[0]?.scoreCalibration).toEqual({
      scoreTransformation: 'LOG',
      defaultScore: 0.5,
      sigmoids: [
        { scale: 1, slope: 2, offset: 3, minScore: null },
        null,
        { scale: 0.5, slope: -1, offset: 0, minScore: 0.25 },
      ],
    });
  });

  it.each([
    [
      { kind: 'BertTokenizerOptions', vocabFile: [{ name: 'vocab.txt', type: 'VOCABULARY' }] },
      { kind: 'bert', vocabularies: ['vocab.txt'], models: [], delimiter: null },
    ],
    [
      { kind: 'SentencePieceTokenizerOptions', sentencePieceModel: [{ name: 'sp.model' }], vocabFile: [{ name: 'v' }] },
      { kind: 'sentencePiece', vocabularies: ['v'], models: ['sp.model'], delimiter: null },
    ],
    [
      { kind: 'RegexTokenizerOptions', delimRegexPattern: '[^\\w]+', vocabFile: [{ name: 'v' }] },
      { kind: 'regex', vocabularies: ['v'], models: [], delimiter: '[^\\w]+' },
    ],
  ])('reads the tokenizer of %j, of a tensor and of all inputs', async (options, tokenizer) => {
    const processUnits = [{ options: options as Content }];
    const subgraph = { inputTensorMetadata: [{ processUnits }], inputProcessUnits: processUnits };
    const model = describedModel({ inputs: [[1, 8]], metadata: { subgraphMetadata: [subgraph] } });
    const metadata = await readModelMetadata(model);
    expect(metadata?.inputs[0]?.tokenizer).toEqual(tokenizer);
    expect(metadata?.inputProcessing.tokenizer).toEqual(tokenizer);
    expect(metadata?.outputProcessing.tokenizer).toBeNull();
  });

  it("reads MediaPipe's own, and leaves other custom metadata as it is", async () => {
    const anchors = [{ xCenter: 0.5, yCenter: 0.25, width: 1, height: 1 }];
    const detector = flatbufferOf(ObjectDetectorOptions, {
      ssdAnchorsOptions: { fixedAnchorsSchema: { anchors } },
      tensorsDecodingOptions: { numClasses: 90, numBoxes: 1, xScale: 10, sigmoidScore: true },
    });
    const segmenter = flatbufferOf(ImageSegmenterOptions, { activation: 'SOFTMAX' });
    const customMetadata = [
      { name: 'DETECTOR_METADATA', data: detector },
      { name: 'SEGMENTER_METADATA', data: segmenter },
      { name: 'mine', data: Uint8Array.of(1, 2) },
    ];
    const metadata = await readModelMetadata(describedModel({ metadata: { subgraphMetadata: [{ customMetadata }] } }));
    expect(metadata?.detector?.anchors).toEqual(anchors);
    expect(metadata?.detector?.decoding).toMatchObject({
      numClasses: 90,
      xScale: 10,
      sigmoidScore: true,
      numCoords: 0,
    });
    expect(metadata?.segmenter?.activation).toBe('SOFTMAX');
    expect(metadata?.custom[2]).toEqual({ name: 'mine', data: Uint8Array.of(1, 2) });
  });

  it.each([
    ['metadata.json', '{"task": "detect", "imgsz": [640, 640], "names": {"0": "person", "1": "it\'s"}, "stride": 32}'],
    [
      'temp_meta.txt',
      `{'task': 'detect', 'imgsz': (640, 640,), 'names': {0: 'person', 1: "it's"}, 'stride': 32, 'nms': False}`,
    ],
  ])("reads Ultralytics' %s", async (name, text) => {
    const metadata = await readModelMetadata(describedModel({ files: { [name]: text }, level: 9 }));
    expect(metadata?.ultralytics).toMatchObject({
      task: 'detect',
      imageSize: [640, 640],
      names: ['person', "it's"],
      values: { stride: 32 },
    });
    expect(metadata?.inputs).toEqual([]);
  });

  it("accepts Ultralytics' dict for no labels", async () => {
    const output = { associatedFiles: [{ name: 'meta.txt', type: 'TENSOR_AXIS_LABELS' }] };
    const metadata = await readModelMetadata(classifier(output, {}, { 'meta.txt': "{'names': {0: 'a'}}" }));
    expect(metadata?.outputs[0]?.labels).toEqual([]);
    expect(metadata?.ultralytics?.names).toEqual(['a']);
  });

  it('returns null where a model has none', async () => {
    expect(await readModelMetadata(describedModel({ inputs: [IMAGE] }))).toBeNull();
  });

  it('accepts a Blob, a Response, a stream, an address and bytes', async () => {
    const bytes = new Uint8Array(classifier());
    vi.stubGlobal('fetch', async () => new Response(bytes));
    const sources = [
      bytes,
      bytes.buffer,
      new Blob([bytes]),
      new Response(bytes),
      new Blob([bytes]).stream(),
      'model.tflite',
    ];
    const names = await Promise.all(sources.map(async (source) => (await readModelMetadata(source))?.name));
    expect(names).toEqual(sources.map(() => 'classifier'));
  });

  it('ends with its signal', async () => {
    const endless = new ReadableStream<Uint8Array>();
    const reading = readModelMetadata(endless, { signal: AbortSignal.timeout(10) });
    await expect(reading).rejects.toThrow(/timeout/i);
  });
});

describe('metadata that contradicts the model or itself', () => {
  const file = (name: string, type = 'TENSOR_AXIS_LABELS') => ({ associatedFiles: [{ name, type }] });
  const calibrated = {
    ...file('c.txt', 'TENSOR_AXIS_SCORE_CALIBRATION'),
    processUnits: [{ options: { kind: 'ScoreCalibrationOptions' } }],
  };
  const threshold = [{ options: { kind: 'ScoreThresholdingOptions', globalScoreThreshold: Number.NaN } }];

  it.each<[string, Content, Content, Readonly<Record<string, string>>, RegExp]>([
    ['labels of another length', file('few.txt'), {}, { 'few.txt': 'cat\ndog' }, /few.txt has 2 labels.*\[1, 3\]/],
    ['no labels', file('none.txt'), {}, { 'none.txt': '' }, /none.txt is empty/],
    ['a file that is not there', file('gone.txt'), {}, {}, /gone.txt, which is not packed.*labels.txt/],
    ['a mean that is no number', {}, normalization([Number.NaN], [1]), {}, /input 0 has the mean NaN/],
    ['an infinite deviation', {}, normalization([0], [Number.POSITIVE_INFINITY]), {}, /the deviation Infinity/],
    ['a deviation of 0', {}, normalization([0], [0]), {}, /expected as many, none 0/],
    ['more means than deviations', {}, normalization([0, 0, 0], [1]), {}, /means \[0,0,0\]/],
    ['means for other channels', {}, normalization([1, 2], [1, 1]), {}, /2 means.*\[1, 4, 4, 3\]/],
    ['stats that are no numbers', {}, { stats: { min: [Number.NaN] } }, {}, /minimum or maximum value NaN/],
    ['a threshold that is no number', { processUnits: threshold }, {}, {}, /score threshold NaN/],
    ['calibration without its file', { processUnits: calibrated.processUnits }, {}, {}, /no file with its parameters/],
    ['calibration of other classes', calibrated, {}, { 'c.txt': '1,1,1' }, /c.txt has 1 lines/],
    ['calibration that is no number', calibrated, {}, { 'c.txt': '1,1,1\n1,x,1\n' }, /Line 2.*"1,x,1"/],
  ])('%s', async (_, output, input, files, message) => {
    const reading = readModelMetadata(classifier(output, input, files));
    await expect(reading).rejects.toThrow(
      expect.objectContaining({ name: 'MetadataError', code: 'METADATA_MISMATCH' }),
    );
    await expect(reading).rejects.toThrow(message);
  });

  it('one label is that of a last axis of size 1: a detector of one class', async () => {
    const labelled = (shape: number[]) =>
      describedModel({
        outputs: [shape],
        metadata: { subgraphMetadata: [{ outputTensorMetadata: [file('one.txt')] }] },
        files: { 'one.txt': 'palm' },
      });
    expect((await readModelMetadata(labelled([1, 2016, 1])))?.outputs[0]?.labels[0]?.names).toEqual(['palm']);
    await expect(readModelMetadata(labelled([1, 2016]))).rejects.toThrow(
      expect.objectContaining({ name: 'MetadataError', code: 'METADATA_MISMATCH' }),
    );
  });

  it('labels of sizes that are not known are as many as they are', async () => {
    const model = describedModel({
      outputs: [[1, -1]],
      metadata: { subgraphMetadata: [{ outputTensorMetadata: [file('two.txt')] }] },
      files: { 'two.txt': 'a\nb' },
    });
    expect((await readModelMetadata(model))?.outputs[0]?.labels[0]?.names).toEqual(['a', 'b']);
  });

  it('more tensors than the model has', async () => {
    const subgraph = { outputTensorMetadata: [{}, {}] };
    const reading = readModelMetadata(
      describedModel({ outputs: [SCORES], metadata: { subgraphMetadata: [subgraph] } }),
    );
    await expect(reading).rejects.toThrow('describes 2 outputs, and the model has 1');
  });

  it("a file of Ultralytics' that is neither JSON nor Python", async () => {
    const reading = readModelMetadata(describedModel({ files: { 'metadata.json': 'names: [a]' } }));
    await expect(reading).rejects.toThrow(/metadata.json in the model is no object in JSON or Python.*names/);
  });
});

describe('damaged files', () => {
  it('a file that is not a model', async () => {
    await expect(readModelMetadata(new Uint8Array(100))).rejects.toThrow(NotATFLiteModelError);
    await expect(readModelMetadata(new Uint8Array())).rejects.toThrow(NotATFLiteModelError);
    await expect(readModelMetadata(7 as never)).rejects.toThrow(ModelFetchError);
  });

  it('a flatbuffer of another kind', async () => {
    const other = flatbufferOf(ModelMetadata, { name: 'x' }, 'M999');
    await expect(readModelMetadata(describedModel({ metadata: other }))).rejects.toThrow(/"M001" at byte 4/);
  });

  it('metadata that is cut off', async () => {
    const full = flatbufferOf(ModelMetadata, { name: 'a classifier', description: 'of animals' }, 'M001');
    const padding = 4; // and the 0 behind a string
    for (let length = 0; length < full.length - padding; length += 4) {
      const reading = readModelMetadata(describedModel({ metadata: full.subarray(0, length) }));
      await expect(reading, `${length} bytes`).rejects.toThrow(
        expect.objectContaining({ name: 'MetadataError', code: 'MALFORMED_METADATA' }),
      );
    }
  });

  it('metadata in a buffer that the model has not', async () => {
    const model = flatbufferOf(Model, { metadata: [{ name: 'TFLITE_METADATA', buffer: 5 }] }, 'TFL3');
    await expect(readModelMetadata(model)).rejects.toThrow(/TFLITE_METADATA is in buffer 5/);
  });

  it('metadata outside of the file', async () => {
    const buffers = [{ offset: 1 << 20, size: 2 ** 40 }];
    const model = flatbufferOf(Model, { buffers, metadata: [{ name: 'TFLITE_METADATA', buffer: 0 }] }, 'TFL3');
    await expect(readModelMetadata(model)).rejects.toThrow(MalformedModelError);
  });

  it('vectors of more elements than the file has bytes', async () => {
    const model = describedModel({ inputs: [IMAGE], metadata: { name: 'x' } });
    const view = new DataView(model.buffer);
    const shape = Array.from({ length: model.length - 20 }, (_, at) => at).find((at) => {
      return [4, ...IMAGE].every((value, index) => view.getInt32(at + 4 * index, true) === value);
    });
    view.setUint32(shape as number, 0xffffffff, true);
    await expect(readModelMetadata(model)).rejects.toThrow(MalformedModelError);
  });

  it('tables that share their content without end', async () => {
    await expect(readModelMetadata(sharingModel(10_000))).rejects.toThrow(/names more than \d+ letters and entries/);
  });

  it('an archive that is cut off', async () => {
    const model = classifier();
    const end = model.length - 22;
    const cut = new Uint8Array([...model.subarray(0, end - 60), ...model.subarray(end)]);
    await expect(readModelMetadata(cut)).rejects.toThrow(ArchiveError);
  });
});

/** Many subgraphs that are one and the same, of many inputs. */
function sharingModel(count: number): Uint8Array {
  const builder = new Builder();
  const vectorOf = (add: () => void) => {
    builder.startVector(4, count, 4);
    for (let index = 0; index < count; index++) add();
    return builder.endVector();
  };
  const table = (slot: number, offset: Offset) => {
    builder.startObject(slot + 1);
    builder.addFieldOffset(slot, offset, 0);
    return builder.endObject();
  };
  const subgraph = table(
    SubGraph.inputs[0],
    vectorOf(() => builder.addInt32(0)),
  );
  builder.finish(
    table(
      Model.subgraphs[0],
      vectorOf(() => builder.addOffset(subgraph)),
    ),
    'TFL3',
  );
  return builder.asUint8Array();
}
