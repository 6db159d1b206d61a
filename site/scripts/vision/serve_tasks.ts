/** A worker that runs tasks on images and draws their results, so that pages remain responsive. */

import { type ProxyMarked, transfer } from 'comlink';
import { type LoadProgress, loadTFLiteModel, preloadTFLite, type TFLiteModel } from 'tflite-webnn';
import type { Asset } from '../common/assets.js';
import { type Execution, executionOptions } from '../common/execution_switch.js';
import { exposeCalls } from '../common/expose_calls.js';
import { showLoading } from '../common/loading_view.js';
import { downloadOnce } from '../common/model_files.js';
import type { ProgressView } from '../common/progress_bar.js';
import { type WhereItRan, whereItRan } from '../common/where_it_ran.js';
import type { OpenTask, StageTimes, TaskResult, WorkerTask } from './worker_task.js';

/** Name of a task of one of the workers. */
export type TaskName = 'classification' | 'detection' | 'classes' | 'person' | 'face' | 'hand' | 'pose';

/** A task's file: of this site, with an absolute URL, or the visitor's. */
export type NamedFile = { readonly name: string } & (Asset | { readonly content: Blob });

/** What a task found in an image. */
export interface ProcessedImage<Result = unknown> {
  readonly result: Result;
  /** The drawing of the result, in the image's size; null if there is none. */
  readonly layer: ImageBitmap | null;
  readonly times: StageTimes;
}

/** A loaded task. */
interface Opened {
  readonly task: OpenTask;
  readonly file: NamedFile;
  readonly models: readonly TFLiteModel[];
}

/** By id, which is the page's: a task can be loaded for several executions. */
const opened = new Map<string, Opened>();
const loads = new Set<AbortController>();
let tasks: Partial<Record<TaskName, WorkerTask>> = {};

/** Calls of the page to the worker; those of one task come one after the other. */
const calls = {
  /**
   * Downloads a file and the wasm module before the page knows where it will run.
   *
   * @throws DownloadError
   */
  async download(file: NamedFile, view: ProgressView & ProxyMarked): Promise<void> {
    await Promise.all([preloadTFLite(), contentOf(file, view)]);
  },

  /**
   * Loads a task, in place of that of the same id.
   *
   * @param labels - Of a file of the visitor's; undefined for those of the metadata.
   * @returns Milliseconds, without the download.
   * @throws DownloadError, what loadTFLiteModel() and the task throw, or the reason of stop().
   */
  async load(
    id: string,
    name: TaskName,
    file: NamedFile,
    execution: Execution,
    labels: readonly string[] | undefined,
    view: ProgressView & ProxyMarked,
  ): Promise<number> {
    calls.close(id);
    const kind = tasks[name];
    if (!kind) throw new Error(`This worker has no task ${name}.`);
    const load = new AbortController();
    const { signal } = load;
    loads.add(load);
    const models: Promise<TFLiteModel>[] = []; // a task loads its models side by side
    const onProgress = (progress: LoadProgress) => showLoading(view, progress);
    const loadModel = (bytes: Uint8Array<ArrayBuffer>) => {
      const model = loadTFLiteModel(bytes, { ...executionOptions(execution), onProgress, signal });
      models.push(model);
      return model;
    };
    try {
      const content = await contentOf(file, view, signal);
      const started = performance.now();
      const task = await kind.open(content, loadModel, labels);
      opened.set(id, { task, file, models: await Promise.all(models) });
      return performance.now() - started;
    } finally {
      loads.delete(load);
      view.hide();
    }
  },

  /** Ends the loads, which reject. */
  stop(): void {
    for (const load of loads) load.abort();
  },

  /** Processes an image, or a frame with its time in milliseconds. */
  async process(id: string, image: ImageData, timestamp: number | null): Promise<ProcessedImage> {
    const { found, times } = await timedProcess(id, image, timestamp);
    const started = performance.now();
    const layer = found.draw ? layerOf(found, image) : null;
    const processed = { result: found.result, layer, times: { ...times, drawing: performance.now() - started } };
    return transfer(processed, layer ? [layer] : []);
  },

  /**
   * Processes an image again, for the time.
   *
   * @returns Milliseconds of the models' runs.
   */
  async time(id: string, image: ImageData): Promise<number> {
    return (await timedProcess(id, image, null)).times.model;
  },

  /** The engine and placement of each model's last run. */
  async whereTheyRan(id: string): Promise<WhereItRan[]> {
    const { models, file } = current(id);
    const title = (index: number) => (models.length > 1 ? `${file.name}, model ${index + 1}` : file.name);
    return Promise.all(models.map(async (model, index) => whereItRan(title(index), await model.report())));
  },

  /** Frees the models. */
  close(id: string): void {
    opened.get(id)?.task.close();
    opened.delete(id);
  },
};

/** Calls of the page to the worker. */
export type VisionCalls = typeof calls;

/** The bytes of a file. */
async function contentOf(file: NamedFile, view: ProgressView, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  if ('content' in file) return new Uint8Array(await file.content.arrayBuffer());
  return downloadOnce(file.name, file, view, signal);
}

async function timedProcess(id: string, image: ImageData, timestamp: number | null) {
  const { task } = current(id);
  const started = performance.now();
  const found = await task.process(image, timestamp);
  const total = performance.now() - started;
  const { image: imageMs, model } = task.times;
  return { found, times: { image: imageMs, model, decoding: total - imageMs - model } };
}

function layerOf(found: TaskResult<unknown>, { width, height }: ImageData): ImageBitmap {
  const canvas = new OffscreenCanvas(width, height);
  const drawing = canvas.getContext('2d');
  if (!drawing) throw new Error('This browser provides no 2D canvas context in workers.');
  found.draw?.(drawing);
  return canvas.transferToImageBitmap();
}

function current(id: string): Opened {
  const found = opened.get(id);
  if (!found) throw new Error(`The task ${id} is not loaded.`);
  return found;
}

/** Starts the worker. */
export function serveTasks(served: Partial<Record<TaskName, WorkerTask>>): void {
  tasks = served;
  exposeCalls(calls);
}
