/** The worker of home and the image demos: runs vision tasks and draws their results, so that pages stay responsive. */

import { type ProxyMarked, transfer } from 'comlink';
import { loadTFLiteModel, preloadTFLite, type TFLiteModel } from 'tflite-webnn';
import type { VisionTask, VisionTaskOptions } from 'tflite-webnn/vision';
import type { Asset } from './common/assets.js';
import { type Execution, executionOptions } from './common/execution_switch.js';
import { exposeCalls } from './common/expose_calls.js';
import { showLoading } from './common/load_model.js';
import { downloadOnce } from './common/model_files.js';
import type { ProgressView } from './common/progress_bar.js';
import { type WhereItRan, whereItRan } from './common/where_it_ran.js';
import { CLASSIFICATION } from './vision/classification.js';
import { FACE, HAND, POSE } from './vision/landmarks.js';
import { CLASSES, PERSON } from './vision/segmentation.js';
import type { Sight, StageTimes, WorkerTask } from './vision/worker_task.js';

const TASKS = {
  classification: CLASSIFICATION,
  classes: CLASSES,
  person: PERSON,
  face: FACE,
  hand: HAND,
  pose: POSE,
} as const;

/** Name of a task. */
export type TaskName = keyof typeof TASKS;

/** A task's file, with an absolute URL. */
export type NamedFile = Asset & { readonly name: string };

/** What a task found in an image. */
export interface Look<Result = unknown> {
  readonly result: Result;
  /** The drawing of the result, in the image's size; null if there is none. */
  readonly layer: ImageBitmap | null;
  readonly times: StageTimes;
}

/** A loaded task. */
interface Opened {
  readonly kind: WorkerTask;
  readonly task: VisionTask;
  readonly file: NamedFile;
  readonly models: readonly TFLiteModel[];
  mode: VisionTaskOptions['runningMode'];
}

/** By id, which is the page's: a task can be loaded for several executions. */
const opened = new Map<string, Opened>();
const loads = new Set<AbortController>();

/** Calls of the page to the worker; those of one task come one after the other. */
const calls = {
  /** Downloads files one after the other, before the page knows where they will run. @throws DownloadError */
  async download(files: readonly NamedFile[], view: ProgressView & ProxyMarked): Promise<void> {
    for (const file of files) await downloadOnce(file.name, file, view);
  },

  /**
   * Loads a task, in place of that of the same id.
   *
   * @returns Milliseconds, without the download.
   * @throws DownloadError, what loadTFLiteModel() and the task throw, or the reason of stop().
   */
  async load(
    id: string,
    name: TaskName,
    file: NamedFile,
    execution: Execution,
    view: ProgressView & ProxyMarked,
  ): Promise<number> {
    calls.close(id);
    const load = new AbortController();
    const { signal } = load;
    loads.add(load);
    const kind: WorkerTask = TASKS[name];
    const models: Promise<TFLiteModel>[] = []; // a task loads its models side by side
    const onProgress = (progress: Parameters<typeof showLoading>[1]) => showLoading(view, progress);
    const loadModel = (bytes: Uint8Array<ArrayBuffer>) => {
      const model = loadTFLiteModel(bytes, { ...executionOptions(execution), onProgress, signal });
      models.push(model);
      return model;
    };
    try {
      const modelAssetBuffer = await downloadOnce(file.name, file, view, signal);
      const started = performance.now();
      const task = await kind.create({ baseOptions: { modelAssetBuffer, loadModel } });
      opened.set(id, { kind, task, file, models: await Promise.all(models), mode: 'IMAGE' });
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

  /** Looks at an image, or at a frame with its time in milliseconds. */
  async look(id: string, image: ImageData, timestamp: number | null): Promise<Look> {
    const { sight, times } = await see(id, image, timestamp);
    const started = performance.now();
    const layer = sight.draw ? layerOf(sight, image) : null;
    const look = { result: sight.result, layer, times: { ...times, drawing: performance.now() - started } };
    return transfer(look, layer ? [layer] : []);
  },

  /**
   * Looks at an image again, for the time.
   *
   * @returns Milliseconds of the models' runs.
   */
  async time(id: string, image: ImageData): Promise<number> {
    return (await see(id, image, null)).times.model;
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

async function see(id: string, image: ImageData, timestamp: number | null) {
  const seeing = current(id);
  const { kind, task } = seeing;
  const mode = timestamp === null ? 'IMAGE' : 'VIDEO';
  if (mode !== seeing.mode) await task.setOptions({ runningMode: mode });
  seeing.mode = mode;
  const started = performance.now();
  const sight = await kind.look(task, image, timestamp);
  const total = performance.now() - started;
  const { times } = task;
  return { sight, times: { ...times, decoding: total - times.image - times.model } };
}

function layerOf(sight: Sight<unknown>, { width, height }: ImageData): ImageBitmap {
  const canvas = new OffscreenCanvas(width, height);
  const drawing = canvas.getContext('2d');
  if (!drawing) throw new Error('This browser provides no 2D canvas context in workers.');
  sight.draw?.(drawing);
  return canvas.transferToImageBitmap();
}

function current(id: string): Opened {
  const found = opened.get(id);
  if (!found) throw new Error(`The task ${id} is not loaded.`);
  return found;
}

// Fetches the wasm module next to the model files. Loading a model reports a failure.
preloadTFLite().catch(() => {});
exposeCalls(calls);
