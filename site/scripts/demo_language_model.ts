/** A language model: it continues a text, and reports how fast. */

import './site.js';
import { TextGenerator } from 'tflite-webnn/language';
import { openTokenizer, type TextTokenizer } from 'tflite-webnn/text';
import { byId } from './common/dom.js';
import type { Execution } from './common/execution_switch.js';
import { table } from './common/table.js';
import { DemoShell } from './demos/demo_shell.js';
import { LoadedModel } from './demos/loaded_model.js';
import { OwnFiles } from './demos/own_files.js';
import { runTextDemo, SPEED_TEST } from './demos/text_demo.js';

/** Tokens per second. */
interface Speed {
  readonly title: string;
  readonly prompt: number;
  readonly output: number;
}

const TITLES: Partial<Record<Execution, string>> = { webnn: 'WebNN', cpu: 'CPU (XNNPACK)' };
const SECOND_MS = 1000;

/** For a model without a tokenizer: each byte is a token. */
const BYTES: TextTokenizer = {
  tokenize: (text) => Array.from(new TextEncoder().encode(text), bytePiece),
  idOf: (piece) => (/^<0x..>$/.test(piece) ? Number.parseInt(piece.slice(3), 16) : undefined),
  pieceOf: bytePiece,
  unknownId: 0,
};

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
      this.#text.hidden = true;
      this.#shell.showResults();
    });
    runTextDemo(shell, this.#files, async (signal) => {
      this.#stop.disabled = false;
      try {
        await this.#generate(signal);
      } finally {
        this.#stop.disabled = true;
      }
    });
    this.#stop.addEventListener('click', () => {
      shell.stop();
      shell.status.ready('Stopped.');
      this.#stop.disabled = true;
    });
  }

  async #generate(signal: AbortSignal): Promise<void> {
    const execution = this.#shell.execution.value;
    const loaded = await this.#shell.models(this.#files.key, (execution) =>
      LoadedModel.load(this.#files.name, this.#files.model, execution, this.#shell.progressBar, signal),
    );
    const source = await this.#files.tokenizer(signal);
    const tokenizer = source === null ? BYTES : await openTokenizer(source);
    const generator = await TextGenerator.create(loaded.model, { tokenizer });
    let written = 0;
    try {
      await this.#write(generator, execution, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      written = generator.usage.generatedTokens;
      await generator.dispose();
    }
    const done = signal.aborted ? `Stopped after ${written} tokens.` : `${written} tokens written.`;
    this.#shell.status.ready(this.#files.areOwn ? done : `${done} ${SPEED_TEST}`);
    await this.#shell.showRun(loaded);
  }

  async #write(generator: TextGenerator, execution: Execution, signal: AbortSignal): Promise<void> {
    const prompt = byId('prompt', HTMLTextAreaElement).value;
    const maxTokens = byId('max-tokens', HTMLInputElement).valueAsNumber;
    const temperature = byId('temperature', HTMLInputElement).valueAsNumber;
    this.#shell.status.busy('Reading the prompt …');
    // The sample's text means nothing: its weights are random.
    this.#text.hidden = !this.#files.areOwn;
    this.#text.textContent = prompt;
    // A signature is prepared when it first runs, which is no part of its speed.
    await generator.generate(prompt, { maxTokens: 1, signal }).next();
    for await (const piece of generator.generate(prompt, { temperature, maxTokens, signal })) {
      this.#shell.status.busy('Writing …');
      this.#text.append(piece);
      const { promptTokens, promptMs, generatedTokens, generatedMs } = generator.usage;
      this.#showSpeed(execution, {
        title: TITLES[execution] ?? execution,
        prompt: (promptTokens * SECOND_MS) / promptMs,
        output: (generatedTokens * SECOND_MS) / generatedMs,
      });
    }
  }

  #showSpeed(execution: Execution, speed: Speed): void {
    this.#speeds.set(execution, speed);
    const columns = [
      { title: 'Computed on', cell: ({ title }: Speed) => title, heading: true },
      { title: 'Prompt', cell: ({ prompt }: Speed) => prompt.toFixed(0), numeric: true },
      { title: 'Output', cell: ({ output }: Speed) => output.toFixed(0), numeric: true },
    ];
    this.#shell.showResults(table('Tokens per second', columns, this.#speeds.values()));
  }
}

function bytePiece(id: number): string {
  return `<0x${id.toString(16).toUpperCase().padStart(2, '0')}>`;
}

new LanguageModelDemo(await DemoShell.open(['webnn', 'cpu']));
