/** Shared parts of all demos: execution switch, models, progress, status and figures. */

import { byId } from '../common/dom.js';
import { ExecutionSwitch } from '../common/execution_switch.js';
import { isolated } from '../common/isolation.js';
import { ProgressBar } from '../common/progress_bar.js';
import { StatusLine } from '../common/status_line.js';
import { table } from '../common/table.js';
import { Figures } from './figures.js';
import { ModelSet } from './model_set.js';

/** Abortable work: checks the signal after every await. */
export type Work = (signal: AbortSignal) => Promise<void>;

/** The task-independent parts of demo_base.html.j2. */
export class DemoShell {
  readonly status = new StatusLine(byId('status', HTMLElement));
  readonly figures = new Figures(byId('figures', HTMLElement));
  readonly progressBar = new ProgressBar(byId('progress', HTMLElement));
  readonly execution: ExecutionSwitch;
  readonly #where = byId('where', HTMLElement);
  readonly #results = byId('results', HTMLElement);
  #set: ModelSet | null = null;
  #loaded = '';
  #work: AbortController | null = null;
  #last: Promise<void> = Promise.resolve();

  private constructor(execution: ExecutionSwitch) {
    this.execution = execution;
  }

  /** Detects the browser's features and shows the execution switch, after a possible reload for isolation. */
  static async open(): Promise<DemoShell> {
    await isolated();
    return new DemoShell(await ExecutionSwitch.replace('execution'));
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

  /** Aborts the current work. */
  stop(): void {
    this.#work?.abort();
  }

  /** Loads the models for the selected execution and frees the previous ones. */
  async models(names: readonly string[], signal: AbortSignal): Promise<ModelSet> {
    const wanted = [this.execution.value, ...names].join();
    if (this.#set && this.#loaded === wanted) return this.#set;
    this.#set?.dispose();
    this.#set = null;
    this.figures.clear();
    this.#where.replaceChildren();
    this.status.busy(names.length > 1 ? 'Loading the models …' : 'Loading the model …');
    this.#set = await ModelSet.load(names, this.execution.value, this.progressBar, signal);
    this.#loaded = wanted;
    return this.#set;
  }

  /** Shows where the models ran, and the times. */
  async showRun(set: ModelSet): Promise<void> {
    this.figures.showTimes(set);
    const columns = [
      { title: 'Model', cell: (row: { model: string }) => row.model, heading: true },
      { title: 'Nodes', cell: (row: { nodes: string }) => row.nodes },
      { title: 'Engine', cell: (row: { engine: string }) => row.engine },
      { title: 'Module', cell: (row: { module: string }) => row.module },
    ];
    this.#where.replaceChildren(table('Placement', columns, await set.whereTheyRan()));
  }

  showResults(...content: readonly (Node | string)[]): void {
    this.#results.replaceChildren(...content);
  }
}
