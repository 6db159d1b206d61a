import {
  bertInputs,
  bertQuestionInputs,
  bestAnswers,
  openTokenizer,
  type TextTokenizer,
  wordInputs,
} from '@tflite-webnn/tasks/text';
import { expect, it } from 'vitest';

/** Its pieces are words; their ids are their lengths. */
const TOKENIZER: TextTokenizer = {
  tokenize: (text) => text.split(' ').filter((word) => word !== ''),
  idOf: (piece) => (piece === 'unknown' ? undefined : piece.length),
  unknownId: 99,
};

it('fills the inputs of a classifier', () => {
  const { ids, mask, segmentIds } = bertInputs(TOKENIZER, 'one THREE unknown', { length: 7 });
  expect([...ids]).toEqual([5, 3, 5, 99, 5, 0, 0]);
  expect([...mask]).toEqual([1, 1, 1, 1, 1, 0, 0]);
  expect([...segmentIds]).toEqual([0, 0, 0, 0, 0, 0, 0]);
});

it("lowers ASCII's letters by default", async () => {
  const tokenizer = await openTokenizer({ kind: 'bert', vocabulary: '[UNK]\n[CLS]\n[SEP]\nabc\nABC\nÄ' });
  const ids = (lowercase: boolean) => [...bertInputs(tokenizer, 'ABC Ä', { length: 4, lowercase }).ids];
  expect(ids(true)).toEqual([1, 3, 5, 2]);
  expect(ids(false)).toEqual([1, 4, 5, 2]);
});

it('rejects what is too long, or leaves it out', () => {
  expect(() => bertInputs(TOKENIZER, 'a b c', { length: 4 })).toThrow(
    expect.objectContaining({ name: 'InputError', code: 'TEXT_TOO_LONG' }),
  );
  expect([...bertInputs(TOKENIZER, 'a bb ccc', { length: 4, truncate: true }).ids]).toEqual([5, 1, 2, 5]);
  const words = 'w '.repeat(65);
  expect(() => bertQuestionInputs(TOKENIZER, words, 'a', { length: 200 })).toThrow(/question has 65 pieces/);
  expect(() => bertQuestionInputs(TOKENIZER, 'a', words, { length: 20 })).toThrow(
    expect.objectContaining({ name: 'InputError', code: 'TEXT_TOO_LONG' }),
  );
  expect(() => wordInputs(TOKENIZER, 'a b', { length: 2 })).toThrow(
    expect.objectContaining({ name: 'InputError', code: 'TEXT_TOO_LONG' }),
  );
  expect([...wordInputs(TOKENIZER, 'a bb', { length: 2, truncate: true })]).toEqual([7, 1]);
});

it('fills the inputs of an answerer, and remembers words', () => {
  const inputs = bertQuestionInputs(TOKENIZER, 'who a', 'the  fox ran', { length: 10 });
  expect([...inputs.ids]).toEqual([5, 3, 1, 5, 3, 3, 3, 5, 0, 0]);
  expect([...inputs.segmentIds]).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 0, 0]);
  expect([...inputs.wordOf]).toEqual([-1, -1, -1, -1, 0, 1, 2, -1, -1, -1]);
  expect(inputs.words[1]).toEqual({ text: 'fox', start: 5 });
  expect(inputs.wordOf[7]).toBe(-1);
});

it('fills the input of a model of words', () => {
  expect([...wordInputs(TOKENIZER, 'a unknown', { length: 5 })]).toEqual([7, 1, 99, 5, 5]);
});

it('chooses answers in the text, whose end does not come first', () => {
  const wordOf = [-1, 0, 1, 1, -1];
  const answers = bestAnswers([9, 1, 3, 2, 9], [9, 5, 1, 4, 9], wordOf);
  expect(answers).toEqual([
    { start: 2, end: 3, logit: 7 },
    { start: 3, end: 3, logit: 6 },
    { start: 1, end: 1, logit: 6 },
    { start: 1, end: 3, logit: 5 },
    { start: 2, end: 2, logit: 4 },
  ]);
});

it('chooses no answer of more than 32 pieces', () => {
  const [starts, ends] = [new Float32Array(40), new Float32Array(40)];
  starts[0] = 5;
  ends[32] = 5;
  ends[31] = 4;
  const wordOf = new Int32Array(40);
  expect(bestAnswers(starts, ends, wordOf)[0]).toEqual({ start: 0, end: 31, logit: 9 });
});

it('accepts tokenizers, and files of tokenizers, only', async () => {
  const { idOf: _, ...rest } = TOKENIZER;
  const wrong = rest as TextTokenizer;
  expect(() => bertInputs(wrong, 'a', { length: 4 })).toThrow(
    expect.objectContaining({ name: 'TokenizerError', code: 'TOKENIZER' }),
  );
  expect(() => bertQuestionInputs(wrong, 'a', 'b', { length: 8 })).toThrow(
    expect.objectContaining({ name: 'TokenizerError', code: 'TOKENIZER' }),
  );
  expect(() => wordInputs(wrong, 'a', { length: 4 })).toThrow('as what openTokenizer() returns');
  for (const source of ['vocab.txt', null, { kind: 'BERT' }]) {
    await expect(openTokenizer(source as never)).rejects.toThrow(/consists of its files: \{ kind: "bert"/);
  }
});
