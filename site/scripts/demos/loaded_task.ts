/** A task that the page's vision worker has loaded, and its times. */

import { proxy, type Remote, wrap } from 'comlink';
import { asset } from '../common/assets.js';
import type { Execution } from '../common/execution_switch.js';
import { keepAlso } from '../common/offline.js';
import type { ProgressBar } from '../common/progress_bar.js';
import type { Look, VisionCalls } from '../vision_worker.js';
import type { PictureTask } from './picture_task.js';
import { RunClock } from './run_clock.js';
import type { WhereItRan } from './where_it_ran.js';

let worker: Remote<VisionCalls> | undefined;
let lastLoad: Promise<unknown> = Promise.resolve();

/** The page's worker; all its tasks share it. */
function visionWorker(): Remote<VisionCalls> {
  if (worker) return worker;
  const started = wrap<VisionCalls>(new Worker(new URL('./vision_worker.mjs', import.meta.url), { type: 'module' }));
  // What a load needs, the worker imports while it loads.
  keepAlso(async () => {
    await lastLoad.catch(() => {});
    return started.loaded();
  });
  worker = started;
  return started;
}

/** A task whose models run in the worker. */
export class LoadedTask<Result> {
  readonly clock = new RunClock();
  /** Time of loading all models, without the download. */
  readonly loadMs: number;
  readonly #key: PictureTask<Result>['key'];

  private constructor(key: PictureTask<Result>['key'], loadMs: number) {
    this.#key = key;
    this.loadMs = loadMs;
  }

  /**
   * Loads the models of a task.
   *
   * @throws DownloadError, what loadTFLiteModel() and the task throw, or the signal's reason.
   */
  static async load<Result>(
    { key, file: name }: Pick<PictureTask<Result>, 'key' | 'file'>,
    execution: Execution,
    progressBar: ProgressBar,
    signal: AbortSignal,
  ): Promise<LoadedTask<Result>> {
    signal.throwIfAborted();
    const { url, sizeBytes } = asset('models', name);
    const file = { name, url: new URL(url, document.baseURI).href, sizeBytes };
    const stop = () => void visionWorker().stop();
    signal.addEventListener('abort', stop);
    try {
      const loading = visionWorker().load(key, file, execution, proxy(progressBar));
      lastLoad = loading;
      return new LoadedTask(key, await loading);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /**
   * Looks at a picture, or at a frame.
   *
   * @param timestamp - Of a frame, in milliseconds; null for a picture.
   */
  async look(picture: ImageData, timestamp: number | null): Promise<Look<Result>> {
    const look = (await visionWorker().look(this.#key, picture, timestamp)) as Look<Result>;
    this.clock.add(look.times.model);
    return look;
  }

  /**
   * Looks at a picture again, for the time.
   *
   * @returns Milliseconds of the models' runs.
   */
  async time(picture: ImageData): Promise<number> {
    const ms = await visionWorker().time(this.#key, picture);
    this.clock.add(ms);
    return ms;
  }

  /** The engine and placement of each model's last run. */
  whereTheyRan(): Promise<WhereItRan[]> {
    return visionWorker().whereTheyRan(this.#key);
  }

  /** Frees the models. */
  dispose(): void {
    void visionWorker().close(this.#key);
  }
}
