/** Drives demo_picture.html.j2: runs a task on pictures or camera frames. */

import { asset } from '../common/assets.js';
import { byId } from '../common/dom.js';
import { formatMilliseconds } from '../common/format.js';
import { Camera, cameraIsPossible } from './camera.js';
import { DemoShell } from './demo_shell.js';
import { type FileListener, fetchSample, listenForFiles, offerSamples, type Sample } from './file_input.js';
import { FrameTimes, STAGE_TITLES } from './frame_times.js';
import { LoadedTask } from './loaded_task.js';
import type { PictureTask } from './picture_task.js';
import { readPicture } from './read_picture.js';
import { chooseTask } from './task_choice.js';

// Repeats on a still picture for the median: at most this often and this long.
const MORE_RUNS = 5;
const MORE_RUNS_MS = 1500;
// A table that changes with every frame is unreadable.
const DETAILS_EVERY_MS = 500;
const FRAME_RATE = 'Frames per second';
// A link with it starts the camera, over the first sample.
const CAMERA_HASH = '#camera';

/** The current input. */
type Source = { readonly picture: ImageData; readonly name: string } | { readonly camera: Camera };

/**
 * Runs the page.
 *
 * @param tasks - Selectable tasks; the first is preselected.
 * @param samples - Sample pictures.
 */
export async function runPictureDemo<Result>(
  tasks: readonly PictureTask<Result>[],
  samples: readonly Sample[],
): Promise<void> {
  const shell = await DemoShell.open();
  const demo = new PictureDemo(shell, tasks);
  demo.listen(samples);
  if (samples[0]) demo.openSample(samples[0]);
  if (location.hash === CAMERA_HASH && cameraIsPossible()) demo.toggleCamera();
}

class PictureDemo<Result> {
  readonly #shell: DemoShell;
  readonly #canvas = byId('canvas', HTMLCanvasElement);
  readonly #cameraButton = byId('camera', HTMLButtonElement);
  readonly #tasks: readonly PictureTask<Result>[];
  #task: PictureTask<Result>;
  #source: Source | null = null;

  constructor(shell: DemoShell, tasks: readonly PictureTask<Result>[]) {
    this.#shell = shell;
    this.#tasks = tasks;
    this.#task = tasks[0] as PictureTask<Result>;
  }

  listen(samples: readonly Sample[]): void {
    const onFile: FileListener = (file, name) => this.#open(file, name);
    listenForFiles({ input: byId('file', HTMLInputElement), zone: byId('stage', HTMLElement), kind: 'image' }, onFile);
    offerSamples(byId('samples', HTMLElement), samples, onFile);
    chooseTask(byId('tasks', HTMLElement), this.#tasks, (task) => {
      this.#task = task;
      this.#refresh();
    });
    this.#shell.execution.addEventListener('change', () => this.#refresh());
    this.#cameraButton.addEventListener('click', () => this.toggleCamera());
    this.#cameraButton.hidden = !cameraIsPossible();
  }

  /** Shows a sample. */
  openSample({ kind, name, title }: Sample): void {
    this.#open(fetchSample(asset(kind, name).url), title);
  }

  #open(file: Blob | Promise<Blob>, name: string): void {
    this.#closeCamera();
    this.#shell.status.busy(`Reading ${name} …`);
    this.#shell.start(async (signal) => {
      const picture = await readPicture(await file);
      signal.throwIfAborted();
      this.#source = { picture, name };
      this.#paint(picture);
      await this.#lookAtPicture(picture, name, signal);
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
    // Not the shell's work: other pictures can run while the browser waits for permission.
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
    this.#shell.start((signal) => this.#lookThroughCamera(camera, signal));
  }

  #closeCamera(): void {
    if (!this.#source || !('camera' in this.#source)) return;
    this.#source.camera.stop();
    this.#source = null;
    this.#canvas.classList.remove('mirrored');
    for (const figure of [FRAME_RATE, ...STAGE_TITLES]) this.#shell.figures.remove(figure);
    this.#cameraButton.textContent = 'Use the camera';
  }

  /** Reruns the current picture or camera after the task or execution changed. */
  #refresh(): void {
    const source = this.#source;
    if (!source) return;
    this.#shell.status.busy('Running again …');
    this.#shell.start((signal) =>
      'camera' in source
        ? this.#lookThroughCamera(source.camera, signal)
        : this.#lookAtPicture(source.picture, source.name, signal),
    );
  }

  async #lookAtPicture(picture: ImageData, name: string, signal: AbortSignal): Promise<void> {
    const task = this.#task;
    const loaded = await this.#load(task, signal);
    this.#shell.status.busy(`Running on ${name} …`);
    const { result, layer } = await loaded.look(picture, null);
    signal.throwIfAborted();
    this.#show(task, picture, result, layer);
    this.#shell.showResults(task.details(result, picture));
    this.#shell.status.ready(`${name}: ${task.summary(result)}`);
    await this.#shell.showRun(loaded);
    const until = performance.now() + MORE_RUNS_MS;
    for (let run = 0; run < MORE_RUNS && performance.now() < until && !signal.aborted; run++) {
      await loaded.time(picture);
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
    task: PictureTask<Result>,
    loaded: LoadedTask<Result>,
    camera: Camera,
    signal: AbortSignal,
  ): Promise<void> {
    const times = new FrameTimes();
    let isFirst = true;
    for await (const frame of camera.frames()) {
      const { result, layer, times: stages } = await loaded.look(frame, performance.now());
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

  async #load(task: PictureTask<Result>, signal: AbortSignal): Promise<LoadedTask<Result>> {
    const loaded = await this.#shell.models(task.key, (execution) =>
      LoadedTask.load<Result>(task, execution, this.#shell.progressBar, signal),
    );
    signal.throwIfAborted();
    return loaded;
  }

  #show(task: PictureTask<Result>, picture: ImageData, result: Result, layer: ImageBitmap | null): void {
    const drawing = this.#paint(picture);
    if (layer) drawing.drawImage(layer, 0, 0);
    layer?.close();
    this.#canvas.setAttribute('aria-label', task.summary(result));
  }

  #paint(picture: ImageData): CanvasRenderingContext2D {
    if (this.#canvas.width !== picture.width) this.#canvas.width = picture.width;
    if (this.#canvas.height !== picture.height) this.#canvas.height = picture.height;
    const drawing = this.#canvas.getContext('2d');
    if (!drawing) throw new Error('This browser provides no 2D canvas context.');
    drawing.putImageData(picture, 0, 0);
    return drawing;
  }
}
