/** A task that the page's vision worker has loaded, and its times. */

import { proxy } from 'comlink';
import { type Asset, asset, assets } from '../common/assets.js';
import type { Execution } from '../common/execution_switch.js';
import type { ProgressBar } from '../common/progress_bar.js';
import type { WhereItRan } from '../common/where_it_ran.js';
import { workerCalls } from '../common/worker_calls.js';
import type { NamedFile, ProcessedImage, VisionCalls } from '../vision/serve_tasks.js';
import type { ImageTask } from './image_task.js';
import type { OwnModel } from './own_files.js';
import { RunClock } from './run_clock.js';

/** All tasks of the page share one; those of landmarks have their own. */
const worker = workerCalls<VisionCalls>(
  Object.keys(assets('models')).some((name) => name.endsWith('.task')) ? 'landmarks_worker' : 'vision_worker',
);

/** Starts the worker, which downloads the module and a task's file, by name in pages.toml. Loading reports a failure. */
export function downloadAhead(name: string, progressBar: ProgressBar): void {
  const file = namedFile(name);
  progressBar.show(`Downloading ${name}`, { loadedBytes: 0, totalBytes: file.sizeBytes });
  worker.download(file, proxy(progressBar)).catch(() => progressBar.hide());
}

function namedFile(name: string): NamedFile & Asset {
  const { url, sizeBytes } = asset('models', name);
  return { name, url: new URL(url, document.baseURI).href, sizeBytes };
}

/** A task whose models run in the worker. */
export class LoadedTask<Result> {
  readonly clock = new RunClock();
  /** Time of loading all models, without the download. */
  readonly loadMs: number;
  readonly #id: string;

  private constructor(id: string, loadMs: number) {
    this.#id = id;
    this.loadMs = loadMs;
  }

  /**
   * Loads the models of a task.
   *
   * @param own - The visitor's files in place of the task's.
   * @throws DownloadError, what loadTFLiteModel() and the task throw, or the signal's reason.
   */
  static async load<Result>(
    { key, file }: Pick<ImageTask<Result>, 'key' | 'file'>,
    execution: Execution,
    progressBar: ProgressBar,
    signal: AbortSignal,
    { file: ownFile, labels }: Pick<OwnModel, 'file' | 'labels'> = { file: null, labels: undefined },
  ): Promise<LoadedTask<Result>> {
    signal.throwIfAborted();
    const stop = () => void worker.stop();
    signal.addEventListener('abort', stop);
    try {
      const id = `${key} ${execution}`;
      const source: NamedFile = ownFile ? { name: ownFile.name, content: ownFile } : namedFile(file);
      return new LoadedTask(id, await worker.load(id, key, source, execution, labels, proxy(progressBar)));
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /**
   * Processes an image, or a frame.
   *
   * @param timestamp - Of a frame, in milliseconds; null for an image.
   */
  async process(image: ImageData, timestamp: number | null): Promise<ProcessedImage<Result>> {
    const processed = (await worker.process(this.#id, image, timestamp)) as ProcessedImage<Result>;
    this.clock.add(processed.times.model);
    return processed;
  }

  /**
   * Processes an image again, for the time.
   *
   * @returns Milliseconds of the models' runs.
   */
  async time(image: ImageData): Promise<number> {
    const ms = await worker.time(this.#id, image);
    this.clock.add(ms);
    return ms;
  }

  /** The engine and placement of each model's last run. */
  whereTheyRan(): Promise<WhereItRan[]> {
    return worker.whereTheyRan(this.#id);
  }

  /** Frees the models. */
  dispose(): void {
    void worker.close(this.#id);
  }
}
