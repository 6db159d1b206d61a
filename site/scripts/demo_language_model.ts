/** A language model: it continues a text, and reports how fast. */

import './site.js';
import type { TokenizerSource } from 'tflite-webnn/text';
import { likeliest, sampled, TextGenerator } from '../../js/apps/examples/language_model.mjs';
import { byteCodec, jsonCodec } from '../../js/apps/examples/text_codecs.mjs';
import { byId } from './common/dom.js';
import type { Execution } from './common/execution_switch.js';
import { table } from './common/table.js';
import { DemoShell } from './demos/demo_shell.js';
import { LoadedModel } from './demos/loaded_model.js';
import { OwnFiles } from './demos/own_files.js';

/** Text to tokens and back. */
interface Codec {
  encode(text: string): number[];
  decode(tokens: readonly number[]): string;
}

/** Tokens per second. */
interface Speed {
  readonly title: string;
  readonly prompt: number;
  readonly answer: number;
}

const TITLES: Partial<Record<Execution, string>> = { webnn: 'WebNN', cpu: 'CPU (XNNPACK)' };
const SECOND_MS = 1000;

class LanguageModelDemo {
  readonly #shell: DemoShell;
  readonly #files: OwnFiles;
  readonly #text = byId('text', HTMLElement);
  readonly #stop = byId('stop', HTMLButtonElement);
  readonly #speeds = new Map<Execution, Speed>();

  constructor(shell: DemoShell) {
    this.#shell = shell;
    this.#files = new OwnFiles('language_model', () => {
      this.#speeds.clear();
      this.#shell.showResults();
    });
    byId('form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      this.start();
    });
    shell.execution.addEventListener('change', () => this.start());
    this.#stop.addEventListener('click', () => {
      shell.stop();
      shell.status.ready('Stopped.');
      this.#stop.disabled = true;
    });
  }

  /** Continues the prompt; what runs is stopped. */
  start(): void {
    this.#shell.status.busy('Starting …');
    this.#shell.start(async (signal) => {
      this.#stop.disabled = false;
      try {
        await this.#generate(signal);
      } finally {
        this.#stop.disabled = true;
      }
    });
  }

  async #generate(signal: AbortSignal): Promise<void> {
    const execution = this.#shell.execution.value;
    const loaded = await this.#shell.models(this.#files.key, async (place) => {
      const file = await this.#files.model(this.#shell.progressBar, signal);
      return LoadedModel.load(this.#files.name, file, place, this.#shell.progressBar, signal);
    });
    const codec = await codecOf(await this.#files.tokenizer(signal));
    const generator = await TextGenerator.of(loaded.model);
    const written = await this.#write(generator, codec, execution, signal);
    this.#shell.status.ready(signal.aborted ? `Stopped after ${written} tokens.` : `${written} tokens written.`);
    await this.#shell.showRun(loaded);
  }

  /** @returns The number of tokens. */
  async #write(generator: TextGenerator, codec: Codec, execution: Execution, signal: AbortSignal): Promise<number> {
    const text = byId('prompt', HTMLTextAreaElement).value;
    const most = byId('most', HTMLInputElement).valueAsNumber;
    const temperature = byId('temperature', HTMLInputElement).valueAsNumber;
    const prompt = codec.encode(text);
    const choose = temperature > 0 ? sampled(temperature) : likeliest;
    const tokens: number[] = [];
    this.#shell.status.busy('Reading the prompt …');
    this.#text.textContent = text;
    // A signature is prepared when it first runs, which is no part of its speed.
    await generator.generate(prompt).next();
    await generator.reset();
    const started = performance.now();
    let read = started;
    const onPrefill = () => {
      read = performance.now();
      this.#shell.status.busy('Writing …');
    };
    for await (const token of generator.generate(prompt, { choose, onPrefill, signal })) {
      tokens.push(token);
      this.#text.textContent = text + codec.decode(tokens);
      this.#showSpeed(execution, {
        title: TITLES[execution] ?? execution,
        prompt: ((prompt.length - 1) * SECOND_MS) / (read - started),
        answer: (tokens.length * SECOND_MS) / (performance.now() - read),
      });
      if (tokens.length >= most) break;
    }
    return tokens.length;
  }

  #showSpeed(execution: Execution, speed: Speed): void {
    this.#speeds.set(execution, speed);
    const columns = [
      { title: 'Computed on', cell: ({ title }: Speed) => title, heading: true },
      { title: 'Prompt', cell: ({ prompt }: Speed) => prompt.toFixed(0), numeric: true },
      { title: 'Answer', cell: ({ answer }: Speed) => answer.toFixed(0), numeric: true },
    ];
    this.#shell.showResults(table('Tokens per second', columns, this.#speeds.values()));
  }
}

/** Without a tokenizer each byte is a token. */
async function codecOf(source: TokenizerSource | null): Promise<Codec> {
  if (source === null) return byteCodec();
  if (source.kind === 'tokenizer.json') return jsonCodec(source.json);
  throw new Error('A language model needs a tokenizer.json: other files do not say how tokens become text again.');
}

new LanguageModelDemo(await DemoShell.open(['webnn', 'cpu'])).start();
