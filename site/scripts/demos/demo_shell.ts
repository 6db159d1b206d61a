/** What every demo has, whether it sees or hears: the switch, the models, progress, words and numbers. */

import { byId } from '../common/dom.js';
import { ExecutionSwitch } from '../common/execution_switch.js';
import { isolated } from '../common/isolation.js';
import { ProgressBar } from '../common/progress_bar.js';
import { StatusLine } from '../common/status_line.js';
import { table } from '../common/table.js';
import { Figures } from './figures.js';
import { ModelSet } from './model_set.js';

/** Work that can be given up: it looks at the signal whenever it has waited. */
export type Work = (signal: AbortSignal) => Promise<void>;

/** The parts of demo.html.j2 that do not depend on what a demo computes. */
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

  /** Finds out what this browser can do, and shows the choice; not before the page is loaded for the last time. */
  static async open(): Promise<DemoShell> {
    await isolated();
    return new DemoShell(await ExecutionSwitch.replace('execution'));
  }

  /** Gives up what is under way, and then does something else; its errors are shown in words. */
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

  /** Gives up what is under way. */
  stop(): void {
    this.#work?.abort();
  }

  /** The models, loaded for what is chosen; those before are freed. */
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

  /** Tells what computed the models, and how long it took. */
  async showRun(set: ModelSet): Promise<void> {
    this.figures.showTimes(set);
    const columns = [
      { title: 'Model', cell: (row: { model: string }) => row.model, heading: true },
      { title: 'Nodes', cell: (row: { nodes: string }) => row.nodes },
      { title: 'Computed by', cell: (row: { engine: string }) => row.engine },
      { title: 'Module', cell: (row: { module: string }) => row.module },
    ];
    this.#where.replaceChildren(table('Where it ran', columns, await set.whereTheyRan()));
  }

  /** Shows what was found. */
  showResults(...content: readonly (Node | string)[]): void {
    this.#results.replaceChildren(...content);
  }
}
