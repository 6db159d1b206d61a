import { cosineSimilarity, TextEmbedder } from 'tflite-webnn/language';
import { openTokenizer } from 'tflite-webnn/text';

const json = await (await fetch('../data/word_tokenizer.json')).text();
const tokenizer = await openTokenizer({ kind: 'tokenizer.json', json });
const embedder = await TextEmbedder.create('sentence_encoder.tflite', { tokenizer });
const [one, other] = [await embedder.embed('A cat sleeps'), await embedder.embed('The cat sleeps')];
console.table([{ similarity: cosineSimilarity(one, other) }]);
