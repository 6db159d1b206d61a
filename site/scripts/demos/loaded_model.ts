/** A loaded model and its times. */

import type { WorkerModel } from 'tflite-webnn/worker';
import type { Asset } from '../common/assets.js';
import type { Execution } from '../common/execution_switch.js';
import { loadModel } from '../common/load_model.js';
import type { ProgressBar } from '../common/progress_bar.js';
import { type WhereItRan, whereItRan } from '../common/where_it_ran.js';
import { RunClock } from './run_clock.js';

/** A model in the page's worker. */
export class LoadedModel {
  readonly clock = new RunClock();

  private constructor(
    readonly model: WorkerModel,
    /** Milliseconds. */
    readonly loadMs: number,
    private readonly name: string,
  ) {}

  /**
   * Loads a model.
   *
   * @param file - Of the visitor, or one of this page.
   * @throws What loadTFLiteModel() throws, or the signal's reason.
   */
  static async load(
    name: string,
    file: Blob | Asset,
    execution: Execution,
    progressBar: ProgressBar,
    signal: AbortSignal,
  ): Promise<LoadedModel> {
    const started = performance.now();
    const model = await loadModel(file, execution, progressBar, signal);
    return new LoadedModel(model, performance.now() - started, name);
  }

  /** The engine and placement of the last run. */
  async whereTheyRan(): Promise<WhereItRan[]> {
    return [whereItRan(this.name, await this.model.report())];
  }

  /** Frees the model. */
  dispose(): void {
    void this.model.dispose();
  }
}
