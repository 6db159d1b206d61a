/** Drives demo_image.html.j2: runs a task on images or camera frames. */

import { asset } from '../common/assets.js';
import { byId } from '../common/dom.js';
import { acceptFiles } from '../common/file_intake.js';
import { formatMilliseconds } from '../common/format.js';
import { Camera, cameraIsPossible } from './camera.js';
import { DemoShell, type Work } from './demo_shell.js';
import { type FileListener, fetchSample, offerSamples, type Sample } from './file_input.js';
import { FrameTimes, STAGE_TITLES } from './frame_times.js';
import type { ImageTask } from './image_task.js';
import { downloadAhead, LoadedTask } from './loaded_task.js';
import { OwnModel } from './own_files.js';
import { readImage } from './read_image.js';
import { chooseTask } from './task_choice.js';

// Repeats on a still image for the median: at most this often and this long.
const MORE_RUNS = 5;
const MORE_RUNS_MS = 1500;
// A table that changes with every frame is unreadable.
const DETAILS_EVERY_MS = 500;
const FRAME_RATE = 'Frames per second';
// A link with it starts the camera, over the first sample.
const CAMERA_HASH = '#camera';

/** The current input. */
type Source = { readonly image: ImageData; readonly name: string } | { readonly camera: Camera };

/**
 * Runs the page.
 *
 * @param tasks - Selectable tasks; the first is preselected.
 * @param samples - Sample images.
 */
export async function runImageDemo<Result>(
  tasks: readonly ImageTask<Result>[],
  samples: readonly Sample[],
): Promise<void> {
  const shell = await DemoShell.open();
  const demo = new ImageDemo(shell, tasks);
  demo.listen(samples);
  demo.downloadAhead();
  if (samples[0]) demo.openSample(samples[0]);
  if (location.hash === CAMERA_HASH && cameraIsPossible()) demo.toggleCamera();
}

class ImageDemo<Result> {
  readonly #shell: DemoShell;
  readonly #canvas = byId('canvas', HTMLCanvasElement);
  readonly #cameraButton = byId('camera', HTMLButtonElement);
  readonly #tasks: readonly ImageTask<Result>[];
  #task: ImageTask<Result>;
  readonly #own: OwnModel;
  #source: Source | null = null;

  constructor(shell: DemoShell, tasks: readonly ImageTask<Result>[]) {
    this.#shell = shell;
    this.#tasks = tasks;
    this.#task = tasks[0] as ImageTask<Result>;
    this.#own = new OwnModel(() => this.#refresh());
  }

  listen(samples: readonly Sample[]): void {
    const onFile: FileListener = (file, name) => {
      this.#shell.reveal();
      this.#open(file, name);
    };
    const model = (file: File) => {
      this.#shell.reveal();
      this.#own.choose(file);
    };
    const labels = (file: File) => void this.#own.chooseLabels(file).catch((error) => this.#shell.fail(error));
    const isBundle = this.#task.file.endsWith('.task');
    acceptFiles(
      {
        handlers: {
          image: (file) => onFile(file, file.name),
          ...(isBundle ? { bundle: model } : { model, text: labels }),
        },
        requested: `Choose an image, or a ${isBundle ? '.task model' : '.tflite model with its labels'}.`,
        zone: byId('stage', HTMLElement),
        failed: (error) => this.#shell.fail(error),
      },
      byId('file', HTMLInputElement),
      byId('model-file', HTMLInputElement),
    );
    offerSamples(byId('samples', HTMLElement), samples, onFile);
    chooseTask(byId('tasks', HTMLElement), this.#tasks, (task) => {
      this.#task = task;
      this.#own.clear();
      this.#refresh();
    });
    this.#shell.execution.addEventListener('change', () => this.#refresh());
    this.#cameraButton.addEventListener('click', () => this.toggleCamera());
    this.#cameraButton.hidden = !cameraIsPossible();
  }

  /** Starts the downloads of the task, while its image is read. */
  downloadAhead(): void {
    downloadAhead(this.#task.file, this.#shell.progressBar);
  }

  /** Shows a sample. */
  openSample({ kind, name, title }: Sample): void {
    this.#open(fetchSample(asset(kind, name).url), title);
  }

  #open(file: Blob | Promise<Blob>, name: string): void {
    this.#closeCamera();
    this.#shell.status.busy(`Reading ${name} …`);
    this.#start(async (signal) => {
      const image = await readImage(await file);
      signal.throwIfAborted();
      this.#source = { image, name };
      this.#paint(image);
      await this.#lookAtImage(image, name, signal);
    });
  }

  #start(work: Work): void {
    this.#shell.start(async (signal) => {
      try {
        await work(signal);
      } catch (error) {
        throw signal.aborted ? error : this.#own.explain(error);
      }
    });
  }

  /** Starts or stops the camera. */
  toggleCamera(): void {
    if (this.#source && 'camera' in this.#source) {
      this.#closeCamera();
      this.#shell.stop();
      this.#shell.status.ready('The camera is off.');
      return;
    }
    // Not the shell's work: other images can run while the browser waits for permission.
    this.#shell.status.busy('Waiting for camera access …');
    Camera.open(this.#task.facing).then(
      (camera) => this.#useCamera(camera),
      (error) => this.#shell.fail(error),
    );
  }

  #useCamera(camera: Camera): void {
    this.#closeCamera();
    this.#source = { camera };
    this.#cameraButton.textContent = 'Stop the camera';
    this.#start((signal) => this.#lookThroughCamera(camera, signal));
  }

  #closeCamera(): void {
    if (!this.#source || !('camera' in this.#source)) return;
    this.#source.camera.stop();
    this.#source = null;
    this.#canvas.classList.remove('mirrored');
    for (const figure of [FRAME_RATE, ...STAGE_TITLES]) this.#shell.figures.remove(figure);
    this.#cameraButton.textContent = 'Use the camera';
  }

  /** Reruns the current image or camera after the task or execution changed. */
  #refresh(): void {
    const source = this.#source;
    if (!source) return;
    this.#shell.status.busy('Running again …');
    this.#start((signal) =>
      'camera' in source
        ? this.#lookThroughCamera(source.camera, signal)
        : this.#lookAtImage(source.image, source.name, signal),
    );
  }

  async #lookAtImage(image: ImageData, name: string, signal: AbortSignal): Promise<void> {
    const task = this.#task;
    const loaded = await this.#load(task, signal);
    this.#shell.status.busy(`Running on ${name} …`);
    const { result, layer } = await loaded.process(image, null);
    signal.throwIfAborted();
    this.#show(task, image, result, layer);
    this.#shell.showResults(task.details(result, image));
    this.#shell.status.ready(`${name}: ${task.summary(result)}`);
    await this.#shell.showRun(loaded);
    const until = performance.now() + MORE_RUNS_MS;
    for (let run = 0; run < MORE_RUNS && performance.now() < until && !signal.aborted; run++) {
      await loaded.time(image);
      if (!signal.aborted) this.#shell.figures.showTimes(loaded);
    }
  }

  async #lookThroughCamera(camera: Camera, signal: AbortSignal): Promise<void> {
    const task = this.#task;
    try {
      const loaded = await this.#load(task, signal);
      this.#shell.status.ready('The camera is on. Its frames stay in this page.');
      this.#canvas.classList.toggle('mirrored', task.facing === 'user');
      await this.#lookAtFrames(task, loaded, camera, signal);
    } catch (error) {
      if (!signal.aborted) this.#closeCamera();
      throw error;
    }
  }

  async #lookAtFrames(
    task: ImageTask<Result>,
    loaded: LoadedTask<Result>,
    camera: Camera,
    signal: AbortSignal,
  ): Promise<void> {
    const times = new FrameTimes();
    let isFirst = true;
    for await (const frame of camera.frames()) {
      const { result, layer, times: stages } = await loaded.process(frame, performance.now());
      if (signal.aborted) return;
      const started = performance.now();
      this.#show(task, frame, result, layer);
      times.add({ ...stages, drawing: stages.drawing + performance.now() - started });
      if (times.passedMs < DETAILS_EVERY_MS && !isFirst) continue;
      this.#shell.showResults(task.details(result, frame));
      this.#showTimes(loaded, times);
      if (isFirst) await this.#shell.showRun(loaded);
      times.reset();
      isFirst = false;
    }
  }

  #showTimes(loaded: LoadedTask<Result>, times: FrameTimes): void {
    const { figures } = this.#shell;
    figures.showTimes(loaded);
    figures.set(FRAME_RATE, times.rate.toFixed(1));
    for (const { title, ms, share } of times.shares) {
      figures.set(title, formatMilliseconds(ms), `${Math.round(100 * share)}%`);
    }
  }

  async #load(task: ImageTask<Result>, signal: AbortSignal): Promise<LoadedTask<Result>> {
    const loaded = await this.#shell.models(`${task.key} ${this.#own.key}`, (execution) =>
      LoadedTask.load<Result>(task, execution, this.#shell.progressBar, signal, this.#own),
    );
    signal.throwIfAborted();
    return loaded;
  }

  #show(task: ImageTask<Result>, image: ImageData, result: Result, layer: ImageBitmap | null): void {
    const drawing = this.#paint(image);
    if (layer) drawing.drawImage(layer, 0, 0);
    layer?.close();
    this.#canvas.setAttribute('aria-label', task.summary(result));
  }

  #paint(image: ImageData): CanvasRenderingContext2D {
    if (this.#canvas.width !== image.width) this.#canvas.width = image.width;
    if (this.#canvas.height !== image.height) this.#canvas.height = image.height;
    const drawing = this.#canvas.getContext('2d');
    if (!drawing) throw new Error('This browser provides no 2D canvas context.');
    drawing.putImageData(image, 0, 0);
    return drawing;
  }
}
