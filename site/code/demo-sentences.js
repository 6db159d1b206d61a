import { loadTFLiteModel } from 'tflite-webnn';
import { openTokenizer } from 'tflite-webnn/text';

const json = await (await fetch('../data/word_tokenizer.json')).text();
const tokenizer = await openTokenizer({ kind: 'tokenizer.json', json });
const model = await loadTFLiteModel('sentence_encoder.tflite');
async function embed(sentence) {
  const ids = tokenizer.tokenize(sentence).map((piece) => BigInt(tokenizer.idOf(piece) ?? tokenizer.unknownId));
  const [input_ids, attention_mask] = [new BigInt64Array(48), new BigInt64Array(48)];
  input_ids.set(ids);
  attention_mask.fill(1n, 0, ids.length);
  const [{ data, shape }] = await model.run([input_ids, attention_mask]); // a vector of each token; zeros behind
  const sum = Array.from({ length: shape[2] }, (_, i) => data.reduce((all, v, j) => (j % shape[2] === i ? all + v : all), 0));
  return sum.map((value) => value / Math.hypot(...sum));
}
const [one, other] = [await embed('A cat sleeps'), await embed('The cat sleeps')];
console.table([{ similarity: one.reduce((sum, value, index) => sum + value * other[index], 0) }]);
