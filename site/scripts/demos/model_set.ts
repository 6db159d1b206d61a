/** The models of a demo: downloaded once, loaded for each execution. */

import type { WorkerModel } from 'tflite-webnn';
import { asset } from '../common/assets.js';
import type { Execution } from '../common/execution_switch.js';
import { loadModel } from '../common/load_model.js';
import type { ProgressBar } from '../common/progress_bar.js';
import { downloadOnce } from './model_files.js';
import { type Net, netOf } from './net.js';
import { RunClock } from './run_clock.js';
import { type WhereItRan, whereItRan } from './where_it_ran.js';

/** Returns a model file of this page, downloaded on first use. */
export function modelFile(
  name: string,
  progressBar: ProgressBar,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  return downloadOnce(name, asset('models', name), progressBar, signal);
}

/** Loaded models and their times. */
export class ModelSet {
  /** The models in the requested order, with timed runs. */
  readonly nets: readonly Net[];
  readonly clock = new RunClock();
  /** Time of loading all models, without the download. */
  readonly loadMs: number;
  readonly #models: ReadonlyMap<string, WorkerModel>;

  private constructor(models: ReadonlyMap<string, WorkerModel>, loadMs: number) {
    this.#models = models;
    this.loadMs = loadMs;
    this.nets = [...models.values()].map((model) => this.clock.timed(netOf(model)));
  }

  /**
   * Loads models of this page.
   *
   * @throws DownloadError, what loadTFLiteModel() throws, or the signal's reason.
   */
  static async load(
    names: readonly string[],
    execution: Execution,
    progressBar: ProgressBar,
    signal: AbortSignal,
  ): Promise<ModelSet> {
    const models = new Map<string, WorkerModel>();
    let loadMs = 0;
    try {
      for (const name of names) {
        const file = await modelFile(name, progressBar, signal);
        const started = performance.now();
        models.set(name, await loadModel(file, execution, progressBar, signal));
        loadMs += performance.now() - started;
      }
    } catch (error) {
      for (const model of models.values()) void model.dispose();
      throw error;
    }
    return new ModelSet(models, loadMs);
  }

  /** The engine and placement of each model's last run. */
  async whereTheyRan(): Promise<WhereItRan[]> {
    const rows = [...this.#models].map(async ([name, model]) => whereItRan(name, await model.report));
    return Promise.all(rows);
  }

  /** Frees the models. */
  dispose(): void {
    for (const model of this.#models.values()) void model.dispose();
  }
}
