// The page language_model.html: the user's model in a worker, its text, and its speed.

import { TextGenerator } from '../package/language.mjs';
import { openTokenizer } from '../package/text.mjs';
import { TFLiteWorker } from '../package/worker.mjs';

const element = (id) => document.getElementById(id);
const worker = new TFLiteWorker();
let loaded = null;
let stopping = new AbortController();

/** Each byte of the text is a token. */
const BYTES = {
  tokenize: (text) => Array.from(new TextEncoder().encode(text), bytePiece),
  idOf: (piece) => (/^<0x..>$/.test(piece) ? Number.parseInt(piece.slice(3), 16) : undefined),
  pieceOf: bytePiece,
  unknownId: 0,
};

function bytePiece(id) {
  return `<0x${id.toString(16).toUpperCase().padStart(2, '0')}>`;
}

async function load() {
  const [file] = element('model').files;
  const [json] = element('tokenizer').files;
  const device = element('device').value;
  if (file === undefined) throw new Error('Choose a model first.');
  const key = [file.name, file.lastModified, json?.name, device].join();
  if (loaded?.key === key) return loaded;
  await loaded?.model.dispose();
  loaded = null;
  const model = await worker.loadTFLiteModel(file, { device });
  const tokenizer = json === undefined ? BYTES : await openTokenizer({ kind: 'tokenizer.json', json: await json.text() });
  loaded = { key, model, generator: await TextGenerator.create(model, { tokenizer }) };
  return loaded;
}

async function generate() {
  stopping = new AbortController();
  const { model, generator } = await load();
  const temperature = Number(element('temperature').value);
  element('text').textContent = element('prompt').value;
  for await (const piece of generator.generate(element('prompt').value, { temperature, signal: stopping.signal })) {
    element('text').append(piece);
    const { promptTokens, promptMs, generatedTokens, generatedMs } = generator.usage;
    element('speed').textContent =
      `${model.device}: prompt ${((1000 * promptTokens) / promptMs).toFixed(1)} tokens/s, ` +
      `output ${((1000 * generatedTokens) / generatedMs).toFixed(1)} tokens/s, ${generatedTokens} tokens`;
  }
}

element('form').addEventListener('submit', (event) => {
  event.preventDefault();
  element('speed').textContent = 'Loading…';
  generate().catch((error) => {
    if (!stopping.signal.aborted) element('speed').textContent = error.message;
  });
});
element('stop').addEventListener('click', () => stopping.abort());
