/** Sentence embedding: how similar sentences are. */

import './site.js';
import { cosineSimilarity, TextEmbedder } from 'tflite-webnn/language';
import { openTokenizer } from 'tflite-webnn/text';
import { byId, create } from './common/dom.js';
import { table } from './common/table.js';
import { DemoShell } from './demos/demo_shell.js';
import { LoadedModel } from './demos/loaded_model.js';
import { OwnFiles } from './demos/own_files.js';
import { runTextDemo, SPEED_TEST } from './demos/text_demo.js';

const MAX_SENTENCES = 12;
// How much of the accent colour the most similar pair gets: text remains readable on it.
const DEEPEST_PERCENT = 35;

class SentencesDemo {
  readonly #shell: DemoShell;
  readonly #files: OwnFiles;

  constructor(shell: DemoShell) {
    this.#shell = shell;
    this.#files = new OwnFiles('sentence_encoder', () => shell.showResults());
    runTextDemo(shell, this.#files, (signal) => this.#compare(signal));
  }

  async #compare(signal: AbortSignal): Promise<void> {
    const lines = byId('sentences', HTMLTextAreaElement).value.split('\n');
    const sentences = lines.map((line) => line.trim()).filter((line) => line !== '');
    if (sentences.length < 2) throw new Error('Write at least two sentences, each on its own line.');
    if (sentences.length > MAX_SENTENCES) throw new Error(`Write at most ${MAX_SENTENCES} sentences.`);
    const loaded = await this.#shell.models(this.#files.key, (execution) =>
      LoadedModel.load(this.#files.name, this.#files.model, execution, this.#shell.progressBar, signal),
    );
    const source = await this.#files.tokenizer(signal);
    if (source === null) throw new Error('Choose the tokenizer of your model, too: vocab.txt or tokenizer.json.');
    // A vocab.txt does not say whether text is lowercased, and nearly all models that have one expect it.
    const options = { tokenizer: await openTokenizer(source), lowercase: source.kind === 'bert', truncate: true };
    const embedder = await TextEmbedder.create(loaded.model, options);
    this.#shell.status.busy('Comparing …');
    const started = performance.now();
    const vectors: Float32Array[] = [];
    for (const sentence of sentences) vectors.push(await embedder.embed(sentence, { signal }));
    const matrix = vectors.map((one) => vectors.map((other) => cosineSimilarity(one, other)));
    loaded.clock.add((performance.now() - started) / sentences.length);
    await this.#shell.showRun(loaded);
    // The sample's numbers stand for nothing: its weights are random.
    if (!this.#files.areOwn) return this.#shell.status.ready(SPEED_TEST);
    this.#shell.showResults(matrixTable(sentences, matrix));
    this.#shell.status.ready(closest(sentences, matrix));
  }
}

/** The most similar two, in a sentence. */
function closest(sentences: readonly string[], matrix: readonly (readonly number[])[]): string {
  const pairs = matrix.flatMap((row, one) =>
    row.slice(0, one).map((similarity, other) => ({ one, other, similarity })),
  );
  const { one, other, similarity } = pairs.reduce((best, pair) => (pair.similarity > best.similarity ? pair : best));
  return `Most similar, ${similarity.toFixed(2)}: “${sentences[other]}” and “${sentences[one]}”`;
}

function matrixTable(sentences: readonly string[], matrix: readonly (readonly number[])[]): Node {
  const named = ({ sentence, index }: Row) => create('span', { class: 'sentence', text: `${index + 1}. ${sentence}` });
  const rows = sentences.map((sentence, index) => ({ sentence, index, values: matrix[index] as readonly number[] }));
  type Row = (typeof rows)[number];
  return table(
    'Similarity, from −1 to 1',
    [
      { title: 'Sentence', cell: named, heading: true },
      ...sentences.map((_, column) => ({
        title: String(column + 1),
        cell: ({ values }: Row) => shade(values[column] as number),
        numeric: true,
      })),
    ],
    rows,
  );
}

function shade(similarity: number): Node {
  const cell = create('span', { class: 'similarity', text: similarity.toFixed(2) });
  cell.style.setProperty('--share', `${(DEEPEST_PERCENT * Math.max(0, similarity)).toFixed(0)}%`);
  return cell;
}

new SentencesDemo(await DemoShell.open());
