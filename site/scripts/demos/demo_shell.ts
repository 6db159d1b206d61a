/** Shared parts of all demos: execution switch, models, progress, status and figures. */

import { byId } from '../common/dom.js';
import { type Execution, ExecutionSwitch } from '../common/execution_switch.js';
import { isolated } from '../common/isolation.js';
import { ProgressBar } from '../common/progress_bar.js';
import { StatusLine } from '../common/status_line.js';
import { table } from '../common/table.js';
import type { WhereItRan } from '../common/where_it_ran.js';
import { Figures, type Timed } from './figures.js';

/** Abortable work: checks the signal after every await. */
export type Work = (signal: AbortSignal) => Promise<void>;

/** Loaded models. */
export interface Loaded extends Timed {
  /** The engine and placement of each model's last run. */
  whereTheyRan(): Promise<WhereItRan[]>;
  /** Frees them. */
  dispose(): void;
}

// As in components.css: the result follows the input.
const STACKED = matchMedia('(width < 56rem)');

/** The task-independent parts of demo_base.html.j2. */
export class DemoShell {
  readonly status = new StatusLine(byId('status', HTMLElement));
  readonly figures = new Figures(byId('figures', HTMLElement));
  readonly progressBar = new ProgressBar(byId('progress', HTMLElement));
  readonly execution: ExecutionSwitch;
  readonly #where = byId('where', HTMLElement);
  readonly #results = byId('results', HTMLElement);
  /** The input that the result is about; a text is too long to show with its result. */
  readonly #stage = document.getElementById('stage') ?? byId('output-heading', HTMLElement);
  #loaded: { readonly key: string; readonly models: Loaded } | null = null;
  #work: AbortController | null = null;
  #last: Promise<void> = Promise.resolve();

  private constructor(execution: ExecutionSwitch) {
    this.execution = execution;
  }

  /**
   * Detects the browser's features and shows the execution switch, after a possible reload for isolation.
   *
   * @param offered - The choices of the switch. Default: all.
   */
  static async open(offered?: readonly Execution[]): Promise<DemoShell> {
    await isolated();
    return new DemoShell(await ExecutionSwitch.replace('execution', offered));
  }

  /** Aborts the current work and starts another; its errors go to the status line. */
  start(work: Work): void {
    this.#work?.abort();
    const controller = new AbortController();
    this.#work = controller;
    const { signal } = controller;
    this.#last = this.#last.then(async () => {
      try {
        if (!signal.aborted) await work(signal);
      } catch (error) {
        if (!signal.aborted) this.status.error(error);
      }
    });
  }

  /** Scrolls to the input and its result, which stand above what the visitor has used. */
  reveal(): void {
    this.#stage.scrollIntoView({ block: STACKED.matches ? 'start' : 'nearest' });
  }

  /** Shows an error when the current work has ended. */
  fail(error: unknown): void {
    this.reveal();
    this.#last = this.#last.then(() => this.status.error(error));
  }

  /** Aborts the current work. */
  stop(): void {
    this.#work?.abort();
  }

  /** Loads models for the selected execution, unless those of this name are loaded, and frees the previous ones. */
  async models<M extends Loaded>(name: string, load: (execution: Execution) => Promise<M>): Promise<M> {
    const execution = this.execution.value;
    const key = `${execution} ${name}`;
    if (this.#loaded?.key === key) return this.#loaded.models as M;
    this.#loaded?.models.dispose();
    this.#loaded = null;
    this.figures.clear();
    this.#where.replaceChildren();
    this.status.busy('Loading the models …');
    const models = await load(execution);
    this.#loaded = { key, models };
    return models;
  }

  /** Shows where the models ran, and the times. */
  async showRun(set: Loaded): Promise<void> {
    this.figures.showTimes(set);
    const columns = [
      { title: 'Model', cell: (row: { model: string }) => row.model, heading: true },
      { title: 'Nodes (operations)', cell: (row: { nodes: string }) => row.nodes },
      { title: 'Engine', cell: (row: { engine: string }) => row.engine },
      { title: 'Module', cell: (row: { module: string }) => row.module },
    ];
    this.#where.replaceChildren(table('Placement', columns, await set.whereTheyRan()));
  }

  showResults(...content: readonly (Node | string)[]): void {
    this.#results.replaceChildren(...content);
  }
}
