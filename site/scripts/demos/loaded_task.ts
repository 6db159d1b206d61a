/** A loaded vision task and its times. */

import type { WorkerModel } from 'tflite-webnn';
import type { VisionTask, VisionTaskOptions } from 'tflite-webnn/vision';
import type { Execution } from '../common/execution_switch.js';
import { loadModel } from '../common/load_model.js';
import type { ProgressBar } from '../common/progress_bar.js';
import { modelFile } from './model_set.js';
import type { PictureTask } from './picture_task.js';
import { RunClock } from './run_clock.js';
import { type WhereItRan, whereItRan } from './where_it_ran.js';

/** A task whose models run in the page's worker. */
export class LoadedTask<Result, Task extends VisionTask = VisionTask> {
  readonly clock = new RunClock();
  /** Time of loading all models, without the download. */
  readonly loadMs: number;
  readonly #kind: PictureTask<Result, Task>;
  readonly #task: Task;
  readonly #models: readonly WorkerModel[];
  #mode: VisionTaskOptions['runningMode'] = 'IMAGE';

  private constructor(kind: PictureTask<Result, Task>, task: Task, models: readonly WorkerModel[], loadMs: number) {
    this.#kind = kind;
    this.#task = task;
    this.#models = models;
    this.loadMs = loadMs;
  }

  /**
   * Loads the models of a task.
   *
   * @throws DownloadError, what loadTFLiteModel() and the task throw, or the signal's reason.
   */
  static async load<Result, Task extends VisionTask>(
    kind: PictureTask<Result, Task>,
    execution: Execution,
    progressBar: ProgressBar,
    signal: AbortSignal,
  ): Promise<LoadedTask<Result, Task>> {
    const modelAssetBuffer = await modelFile(kind.file, progressBar, signal);
    const models: WorkerModel[] = [];
    const started = performance.now();
    const loadOne = async (bytes: Uint8Array<ArrayBuffer>) => {
      const model = await loadModel(bytes, execution, progressBar, signal);
      models.push(model);
      return model;
    };
    const task = await kind.create({ baseOptions: { modelAssetBuffer, loadModel: loadOne } });
    return new LoadedTask(kind, task, models, performance.now() - started);
  }

  /**
   * Looks at a picture, or at a frame.
   *
   * @param timestamp - Of a frame, in milliseconds; null for a picture.
   * @returns The result, and the milliseconds of the stages until then.
   */
  async look(picture: ImageData, timestamp: number | null) {
    const mode = timestamp === null ? 'IMAGE' : 'VIDEO';
    if (mode !== this.#mode) await this.#task.setOptions({ runningMode: mode });
    this.#mode = mode;
    const started = performance.now();
    const result = await this.#kind.look(this.#task, picture, timestamp);
    const total = performance.now() - started;
    const { times } = this.#task;
    this.clock.add(times.model);
    return { result, ...times, decoding: total - times.picture - times.model };
  }

  /** The engine and placement of each model's last run. */
  whereTheyRan(): Promise<WhereItRan[]> {
    const { file } = this.#kind;
    const name = (index: number) => (this.#models.length > 1 ? `${file}, model ${index + 1}` : file);
    return Promise.all(this.#models.map(async (model, index) => whereItRan(name(index), await model.report)));
  }

  /** Frees the models. */
  dispose(): void {
    this.#task.close();
  }
}
