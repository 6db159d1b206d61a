// The page language_model.html: the user's model in a worker, its words, and its speed.

import { TFLiteWorker } from '../package/worker.mjs';
import { sampled, TextGenerator, likeliest } from './language_model.mjs';
import { byteCodec, jsonCodec } from './text_codecs.mjs';

const element = (id) => document.getElementById(id);
const worker = new TFLiteWorker();
let loaded = null;
let stopping = new AbortController();

async function load() {
  const [file] = element('model').files;
  const [tokenizer] = element('tokenizer').files;
  const place = element('place').value;
  if (file === undefined) throw new Error('Choose a model first.');
  const key = [file.name, file.lastModified, tokenizer?.name, place].join();
  if (loaded?.key === key) return loaded;
  await loaded?.model.dispose();
  loaded = null;
  const model = await worker.loadTFLiteModel(file, { device: place });
  const codec = tokenizer === undefined ? byteCodec() : await jsonCodec(await tokenizer.text());
  loaded = { key, model, codec, generator: await TextGenerator.of(model) };
  return loaded;
}

async function generate() {
  const { model, codec, generator } = await load();
  await generator.reset();
  const temperature = Number(element('temperature').value);
  const choose = temperature === 0 ? likeliest : sampled(temperature);
  const prompt = codec.encode(element('prompt').value);
  const tokens = [];
  stopping = new AbortController();
  const start = performance.now();
  let read = start;
  const onPrefill = () => {
    read = performance.now();
  };
  for await (const token of generator.generate(prompt, { choose, onPrefill, signal: stopping.signal })) {
    tokens.push(token);
    element('text').textContent = element('prompt').value + codec.decode(tokens);
    const [before, since] = [read - start, performance.now() - read].map((ms) => ms / 1000);
    element('speed').textContent =
      `${model.device}: prompt ${(prompt.length / before).toFixed(1)} tokens/s, ` +
      `answer ${(tokens.length / since).toFixed(1)} tokens/s, ${tokens.length} tokens`;
  }
}

element('form').addEventListener('submit', (event) => {
  event.preventDefault();
  element('speed').textContent = 'Loading…';
  generate().catch((error) => {
    element('speed').textContent = error.message;
  });
});
element('stop').addEventListener('click', () => stopping.abort());
