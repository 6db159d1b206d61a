import { TextGenerator } from 'tflite-webnn/language';
import { openTokenizer } from 'tflite-webnn/text';

const json = await (await fetch('../data/word_tokenizer.json')).text();
const tokenizer = await openTokenizer({ kind: 'tokenizer.json', json });
const generator = await TextGenerator.create('language_model.tflite', { tokenizer });
const rows = [];
for await (const piece of generator.generate('the', { maxTokens: 10 })) rows.push({ piece });
console.table(rows);
