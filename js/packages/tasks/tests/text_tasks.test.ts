import {
  BertNLClassifier,
  BertQuestionAnswerer,
  NLClassifier,
  type TaskMetadata,
  type TaskModel,
  TaskModelError,
} from '@tflite-webnn/tasks';
import { startsOutput, type TextTokenizer } from '@tflite-webnn/tasks/text';
import type { ShapedValues, TensorInfo, TypedArray } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import { tensor } from './fake_model.js';

const LENGTH = 8;
const IDS = ['ids', 'mask', 'segment_ids'].map((name) => tensor(name, 'int32', [1, LENGTH]));
const SCORES = tensor('scores', 'float32', [1, 2]);
const LABELS = [{ locale: null, names: ['bad', 'good'] }];
/** Its pieces are words; their ids are their lengths. */
const TOKENIZER: TextTokenizer = {
  tokenize: (text) => text.split(' ').filter((word) => word !== ''),
  idOf: (piece) => piece.length,
  unknownId: 0,
};

/** A model that keeps what it gets. */
function textModel(
  inputs: readonly TensorInfo[],
  outputs: readonly (readonly [TensorInfo, TypedArray])[],
  metadata: TaskMetadata | null = null,
) {
  const seen: unknown[] = [];
  const model: TaskModel & { seen: unknown[] } = {
    inputs,
    outputs: outputs.map(([info]) => info),
    metadata,
    seen,
    async run(provided) {
      const rows = Array.isArray(provided) ? (provided as ShapedValues[]) : [provided as ShapedValues];
      seen.push(rows.map(({ data }) => Array.from(data as Int32Array)));
      return outputs.map(([{ name, shape, quantization }, data]) => ({ name, shape, quantization, data }));
    },
    dispose() {},
  };
  return model;
}

const scores = Float32Array.of(0.25, 0.75);

describe('NLClassifier', () => {
  const words = tensor('words', 'int32', [1, 4]);

  it('passes ids of words, and returns the best classes', async () => {
    const model = textModel([words], [[SCORES, scores]], { inputs: [{}], outputs: [{ labels: LABELS }] });
    const classifier = await NLClassifier.create(model, { tokenizer: TOKENIZER, k: 1 });
    expect(await classifier.classify('it is')).toEqual([{ index: 1, score: 0.75, label: 'good' }]);
    expect(model.seen).toEqual([[[7, 2, 2, 5]]]);
  });

  it('passes the text itself to a model of strings', async () => {
    const model = textModel([tensor('text', 'string', [1])], [[SCORES, scores]]);
    const [best] = await (await NLClassifier.create(model)).classify('any text');
    expect([best?.label, model.seen]).toEqual(['class 1', [[['any text']]]]);
  });

  it('calibrates scores, and leaves out those below the threshold of the metadata', async () => {
    const sigmoid = { scale: 1, slope: 1, offset: 0, minScore: 0.5 };
    const scoreCalibration = {
      scoreTransformation: 'IDENTITY',
      defaultScore: 0.1,
      sigmoids: [sigmoid, sigmoid],
    } as const;
    const metadata = { inputs: [], outputs: [{ labels: LABELS, scoreCalibration, scoreThreshold: 0.2 }] };
    const classifier = await NLClassifier.create(textModel([words], [[SCORES, scores]], metadata), {
      tokenizer: TOKENIZER,
    });
    const found = await classifier.classify('it is');
    expect(found).toEqual([{ index: 1, label: 'good', score: expect.closeTo(1 / (1 + Math.exp(-0.75)), 6) }]);
  });

  it.each([
    ['two inputs', [words, words]],
    ['floats', [tensor('words', 'float32', [1, 4])]],
    ['a batch', [tensor('words', 'int32', [2, 4])]],
  ])('rejects a model with %s', async (_, inputs) => {
    const creating = NLClassifier.create(textModel(inputs, [[SCORES, scores]]), { tokenizer: TOKENIZER });
    await expect(creating).rejects.toThrow(TaskModelError);
  });

  it('rejects a model that names no tokenizer, and a vocabulary without what it adds', async () => {
    const model = textModel([words], [[SCORES, scores]]);
    await expect(NLClassifier.create(model)).rejects.toThrow(
      expect.objectContaining({ name: 'TokenizerError', code: 'TOKENIZER' }),
    );
    const tokenizer = { ...TOKENIZER, idOf: () => undefined };
    await expect(NLClassifier.create(model, { tokenizer })).rejects.toThrow(/lacks <UNKNOWN>/);
  });
});

describe('BertNLClassifier', () => {
  it("passes the inputs in the model's order", async () => {
    const names = ['segment_ids', 'ids', 'mask'];
    const model = textModel(IDS, [[SCORES, scores]], { inputs: names.map((name) => ({ name })), outputs: [] });
    const classifier = await BertNLClassifier.create(model, { tokenizer: TOKENIZER });
    const [best] = await classifier.classify('a bb');
    expect(best?.index).toBe(1);
    const zeros = new Array(LENGTH).fill(0);
    expect(model.seen).toEqual([[zeros, [5, 1, 2, 5, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0, 0, 0]]]);
  });

  it('rejects empty texts, and texts that are too long, and goes on', async () => {
    const classifier = await BertNLClassifier.create(textModel(IDS, [[SCORES, scores]]), { tokenizer: TOKENIZER });
    await expect(classifier.classify(' \n')).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'TEXT_EMPTY' }),
    );
    await expect(classifier.classify('a '.repeat(LENGTH))).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'TEXT_TOO_LONG' }),
    );
    expect(await classifier.classify('a')).toHaveLength(2);
  });

  it.each([
    ['two inputs', IDS.slice(1)],
    ['lengths that differ', [...IDS.slice(1), tensor('ids', 'int32', [1, 9])]],
    ['no space', IDS.map(({ name }) => tensor(name, 'int32', [1, 2]))],
    ['floats', IDS.map(({ name }) => tensor(name, 'float32', [1, LENGTH]))],
  ])('rejects a model with %s', async (_, inputs) => {
    const creating = BertNLClassifier.create(textModel(inputs, [[SCORES, scores]]), { tokenizer: TOKENIZER });
    await expect(creating).rejects.toThrow(TaskModelError);
  });
});

describe('BertQuestionAnswerer', () => {
  it.each([
    [[], 1],
    [['start_logits', 'end_logits'], 0],
    [['end_logits', 'start_logits'], 1],
    [['logits', 'end_logits'], 0],
  ])('finds the output with the logits of starts by the names %j', (names, position) => {
    expect(startsOutput(names.map((name) => ({ name })))).toBe(position);
  });

  const [ENDS, STARTS] = ['end_logits', 'start_logits'].map((name) => tensor(name, 'float32', [1, LENGTH])) as [
    TensorInfo,
    TensorInfo,
  ];
  const starts = Float32Array.of(0, 0, 0, 0, 5, 0, 0, 0);
  const ends = Float32Array.of(0, 0, 0, 0, 0, 4, 0, 0);

  it.each([
    ['first', [STARTS, ENDS]],
    ['last', [ENDS, STARTS]],
  ] as const)('answers with text as it is written; starts are %s', async (_, outputs) => {
    const values = outputs.map((info) => [info, info === STARTS ? starts : ends] as const);
    const metadata = { inputs: [], outputs: outputs.map(({ name }) => ({ name })) };
    const answerer = await BertQuestionAnswerer.create(textModel(IDS, values, metadata), { tokenizer: TOKENIZER });
    const [best] = await answerer.answer('who', 'the red  Fox');
    expect(best).toEqual({ text: 'red  Fox', start: 4, end: 12, logit: 9 });
    await expect(answerer.answer('', 'text')).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'TEXT_EMPTY' }),
    );
    await expect(answerer.answer('who', ' ')).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'TEXT_EMPTY' }),
    );
  });

  it.each([
    ['one output', [[STARTS, starts]]],
    ['outputs of another length', Array.from({ length: 2 }, () => [SCORES, scores])],
  ])('rejects a model with %s', async (_, outputs) => {
    const model = textModel(IDS, outputs as unknown as (readonly [TensorInfo, TypedArray])[]);
    await expect(BertQuestionAnswerer.create(model, { tokenizer: TOKENIZER })).rejects.toThrow(TaskModelError);
  });
});

it.each([
  ['a vocabulary', 'vocab.txt'],
  ['a tokenizer without idOf()', { tokenize: TOKENIZER.tokenize, unknownId: 0 }],
])('accepts no %s as tokenizer', async (_, provided) => {
  const tokenizer = provided as unknown as TextTokenizer;
  const model = textModel(IDS, [[SCORES, scores]]);
  await expect(BertNLClassifier.create(model, { tokenizer })).rejects.toThrow(
    expect.objectContaining({ name: 'TokenizerError', code: 'TOKENIZER' }),
  );
  const unknown = { tokenizer: TOKENIZER, lower: true } as object;
  await expect(BertNLClassifier.create(model, unknown)).rejects.toThrow('there is no option "lower"');
});
