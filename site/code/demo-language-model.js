import { loadTFLiteModel } from 'tflite-webnn';

const model = await loadTFLiteModel('language_model.tflite');
const state = await model.createState(); // the caches, which stay where the model computes
const rows = [];
let token = 70;
for (let position = 0; position < 10; position++) {
  const inputs = { tokens: Int32Array.of(token), input_pos: Int32Array.of(position) };
  const { logits } = await model.runSignature('decode', inputs, { state });
  token = logits.data.indexOf(Math.max(...logits.data)); // the likeliest one
  rows.push({ position, token });
}
console.table(rows);
