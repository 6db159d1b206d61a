/** The explorer's tab "Run": the visitor's model on the visitor's image, sound or text, on WebNN and on the CPU. */

import type { WorkerModel } from 'tflite-webnn/worker';
import { asset } from '../common/assets.js';
import { capability } from '../common/capabilities.js';
import { byId } from '../common/dom.js';
import type { Execution } from '../common/execution_switch.js';
import { formatMilliseconds } from '../common/format.js';
import { HEAD_LABELS } from '../common/heads.js';
import { readLabels } from '../common/labels.js';
import { loadModel } from '../common/load_model.js';
import type { PickedModel } from '../common/model_picker.js';
import type { ProgressBar } from '../common/progress_bar.js';
import {
  elementsOf,
  type Fit,
  guessRecipe,
  type HeadName,
  type InputKind,
  imageInput,
  type ModelInfo,
  type OutputKind,
  type RangeName,
  type Recipe,
} from '../common/recipe.js';
import { StatusLine } from '../common/status_line.js';
import { type Column, table } from '../common/table.js';
import { whereItRan } from '../common/where_it_ran.js';
import { Camera, cameraIsPossible } from '../demos/camera.js';
import { fetchSample, offerSamples, type Sample } from '../demos/file_input.js';
import { readImage } from '../demos/read_image.js';
import { median } from '../demos/run_clock.js';
import { synthesise, TUNES } from '../demos/synthesis.js';
import { type CodeInfo, codeText } from './code_text.js';
import { openShapes } from './open_shapes.js';
import type { Outcome } from './outcome.js';
import { type ProvidedInput, type Ran, runModel, sizeOf } from './run_model.js';

// Of models of faces, hands and bodies.
const PERSON: Sample = { kind: 'files', name: 'astronaut_small', title: 'Astronaut' };
const SAMPLES: readonly [Sample, ...Sample[]] = [
  { kind: 'samples', name: 'chelsea', title: 'Cat' },
  PERSON,
  { kind: 'samples', name: 'motorcycle_left', title: 'Motorcycle' },
  { kind: 'samples', name: 'coffee', title: 'Coffee' },
];
const SAMPLE_TEXT = 'What a great film!';
// Runs of each device for the median: at most this many, and this long together.
const [MAX_RUNS, MAX_RUNS_MS] = [20, 3000];

/** A device that the model runs on. */
interface Device {
  readonly title: string;
  readonly execution: Execution;
  readonly model: WorkerModel;
  readonly loadMs: number;
  firstMs: number | null;
  readonly times: number[];
}

/** The panel; it is filled when it is shown. */
export class RunPanel {
  readonly #status = new StatusLine(byId('run-status', HTMLElement));
  readonly #progress: ProgressBar;
  readonly #canvas = byId('run-canvas', HTMLCanvasElement);
  readonly #selects = {
    input: byId('run-input', HTMLSelectElement),
    output: byId('run-output', HTMLSelectElement),
    range: byId('run-range', HTMLSelectElement),
    fit: byId('run-fit', HTMLSelectElement),
    head: byId('run-head', HTMLSelectElement),
  };
  readonly #rate = byId('run-rate', HTMLInputElement);
  readonly #numbers = byId('run-numbers', HTMLInputElement);
  readonly #text = byId('run-text', HTMLTextAreaElement);
  readonly #player = byId('run-player', HTMLAudioElement);
  readonly #cameraButton = byId('run-camera', HTMLButtonElement);
  #file: PickedModel | null = null;
  #isRangeKnown = true;
  #devices: Device[] = [];
  #labels: readonly string[] | undefined;
  #image: ImageData | null = null;
  #sound: Blob | null = null;
  #camera: Camera | null = null;
  /** Ends the load of a model, and a run: a run waits for the load before it. */
  #loading = new AbortController();
  #running = new AbortController();
  #last: Promise<void> = Promise.resolve();

  /** @param progress - Of the page. */
  constructor(progress: ProgressBar) {
    this.#progress = progress;
    for (const select of Object.values(this.#selects)) select.addEventListener('change', () => this.#changed());
    for (const field of [this.#rate, this.#numbers, this.#text])
      field.addEventListener('change', () => this.#changed());
    offerSamples(byId('run-samples', HTMLElement), SAMPLES, (file, name) => {
      byId('run-status', HTMLElement).scrollIntoView({ block: 'nearest' });
      void this.open(file, name);
    });
    if (!cameraIsPossible()) this.#cameraButton.remove();
    this.#cameraButton.addEventListener('click', () => this.#toggleCamera());
    byId('run-copy', HTMLButtonElement).addEventListener('click', () => {
      const text = byId('run-code', HTMLElement).textContent ?? '';
      Promise.resolve()
        .then(() => navigator.clipboard.writeText(text))
        .then(() => this.#status.ready('The code is copied.'))
        .catch(() => getSelection()?.selectAllChildren(byId('run-code', HTMLElement)));
    });
  }

  /** Loads a model and runs it, unless it is the one that is shown. */
  show(file: PickedModel): void {
    if (file === this.#file) return;
    this.#file = file;
    this.#setLabels(undefined, '');
    this.#stopCamera();
    this.#loading.abort();
    this.#running.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    this.#queue(signal, () => this.#load(file, signal));
  }

  /** Runs the model on a file of the visitor's, or on a sample. */
  async open(file: Blob | Promise<Blob>, name: string): Promise<void> {
    this.#stopCamera();
    this.#start(async (signal) => {
      this.#status.busy(`Reading ${name} …`);
      const content = await file;
      const isSound = content.type.startsWith('audio/') || /\.(wav|mp3|ogg|flac|m4a|opus)$/i.test(name);
      if (isSound) this.#setSound(content);
      else this.#image = await readImage(content);
      signal.throwIfAborted();
      if (this.#devices.length === 0) return this.#status.ready('Choose a model.');
      this.#selects.input.value = isSound ? 'sound' : 'image';
      await this.#run(signal);
    });
  }

  /** Aborts the current run and starts another, after the load of the model. */
  #start(work: (signal: AbortSignal) => Promise<void>): void {
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    this.#queue(signal, () => work(signal));
  }

  /** Errors go to the status line. */
  #queue(signal: AbortSignal, work: () => Promise<void>): void {
    this.#last = this.#last.then(async () => {
      try {
        if (!signal.aborted) await work();
      } catch (error) {
        if (!signal.aborted) this.#fail(error);
      }
    });
  }

  #fail(error: unknown): void {
    if (this.#devices.length === 0) this.#file = null; // it can be tried again
    byId('run-results', HTMLElement).replaceChildren();
    byId('run-times', HTMLElement).replaceChildren();
    if (this.#image) this.#paint(this.#image);
    this.#status.error(error);
  }

  async #load(file: PickedModel, signal: AbortSignal): Promise<void> {
    for (const { model } of this.#devices) void model.dispose();
    this.#devices = [];
    this.#status.busy(`Loading ${file.name} …`);
    const first = await this.#loadOn('cpu', file, signal);
    this.#devices.push(first);
    const metadata = await first.model.metadata.catch(() => null);
    this.#showRecipe({ inputs: first.model.inputs, outputs: first.model.outputs, metadata });
    await this.#run(signal, false);
    const { there, detail } = await capability('webnn');
    byId('run-no-webnn', HTMLElement).hidden = there;
    byId('run-no-webnn-reason', HTMLElement).textContent = detail;
    if (there) this.#devices.unshift(await this.#loadOn('webnn', file, signal));
    await this.#run(signal);
  }

  async #loadOn(execution: 'cpu' | 'webnn', file: PickedModel, signal: AbortSignal): Promise<Device> {
    const started = performance.now();
    const model = await loadModel(file.bytes, execution, this.#progress, signal);
    try {
      const open = openShapes(model, Number(this.#rate.value));
      if (open) await model.resizeInputs(open);
      signal.throwIfAborted();
    } catch (error) {
      void model.dispose();
      throw error;
    }
    const title = execution === 'cpu' ? 'CPU' : 'WebNN';
    return { title, execution, model, loadMs: performance.now() - started, firstMs: null, times: [] };
  }

  #showRecipe(info: ModelInfo): void {
    const recipe = guessRecipe(info);
    for (const [name, select] of Object.entries(this.#selects)) select.value = recipe[name as keyof Recipe] as string;
    this.#numbers.value = String(recipe.pointNumbers);
    this.#rate.value = String(recipe.sampleRate);
    const image = imageInput(info.inputs[0]);
    for (const [kind, isPossible] of Object.entries({
      image: image !== null,
      sound: info.inputs.length === 1 && info.inputs[0]?.dtype === 'float32',
      text: recipe.input === 'text',
    })) {
      const option = this.#selects.input.querySelector<HTMLOptionElement>(`[value=${kind}]`);
      if (option) option.disabled = !isPossible;
    }
    this.#isRangeKnown = recipe.range === 'file';
  }

  #recipe(): Recipe {
    const { input, output, range, fit, head } = this.#selects;
    return {
      input: input.value as InputKind,
      output: output.value as OutputKind,
      range: range.value as RangeName,
      fit: fit.value as Fit,
      head: head.value as HeadName,
      sampleRate: Number(this.#rate.value),
      pointNumbers: Number(this.#numbers.value),
    };
  }

  #changed(): void {
    if (this.#devices.length > 0 && this.#camera === null) this.#start((signal) => this.#run(signal));
  }

  /** Runs the model on each device, then repeatedly, interleaved, for the times. */
  async #run(signal: AbortSignal, isLast = true): Promise<void> {
    const recipe = this.#recipe();
    this.#showFields(recipe);
    this.#showCode(recipe);
    const provided = await this.#provided(recipe);
    signal.throwIfAborted();
    const runs: { device: Device; ran: Ran }[] = [];
    for (const device of this.#devices) {
      this.#status.busy(`Running on ${device.title} …`);
      const started = performance.now();
      const ran = await runModel(device.model, recipe, provided, this.#labels);
      signal.throwIfAborted();
      device.firstMs ??= performance.now() - started;
      device.times.length = 0;
      if (runs.length === 0) this.#showOutcome(ran.outcome, provided);
      runs.push({ device, ran });
    }
    await this.#showTimes();
    if (!isLast) return;
    this.#status.busy('Measuring …');
    const until = performance.now() + MAX_RUNS_MS;
    for (let run = 0; run < MAX_RUNS && performance.now() < until && !signal.aborted; run++) {
      for (const { device, ran } of runs) {
        const started = performance.now();
        await ran.again();
        device.times.push(performance.now() - started);
      }
    }
    signal.throwIfAborted();
    await this.#showTimes();
    const [shown] = runs;
    if (shown) this.#status.ready(`${this.#file?.name}: ${shown.ran.outcome.summary}`);
  }

  async #provided(recipe: Recipe): Promise<ProvidedInput> {
    if (recipe.input === 'image') {
      const isOfPeople = recipe.output === 'points' || HEAD_LABELS[recipe.head] !== undefined;
      const { kind, name } = isOfPeople ? PERSON : SAMPLES[0];
      return this.#image ?? readImage(await fetchSample(asset(kind, name).url));
    }
    if (recipe.input === 'sound') {
      const [tune] = TUNES;
      if (this.#sound === null && tune) this.#setSound(synthesise(tune));
      return this.#sound;
    }
    if (recipe.input === 'text') return this.#text.value || SAMPLE_TEXT;
    return null;
  }

  #setSound(sound: Blob): void {
    this.#sound = sound;
    if (this.#player.src) URL.revokeObjectURL(this.#player.src);
    this.#player.src = URL.createObjectURL(sound);
  }

  #showOutcome({ summary, details, draw }: Outcome, provided: ProvidedInput): void {
    this.#canvas.hidden = !(provided instanceof ImageData);
    this.#canvas.setAttribute('aria-label', summary);
    if (provided instanceof ImageData) {
      const drawing = this.#paint(provided);
      draw?.(drawing);
    }
    byId('run-results', HTMLElement).replaceChildren(details);
  }

  #paint(image: ImageData): CanvasRenderingContext2D {
    this.#canvas.width = image.width;
    this.#canvas.height = image.height;
    const drawing = this.#canvas.getContext('2d');
    if (!drawing) throw new Error('This browser provides no 2D canvas context.');
    drawing.putImageData(image, 0, 0);
    return drawing;
  }

  async #showTimes(): Promise<void> {
    const rows = await Promise.all(
      this.#devices.map(async ({ title, model, loadMs, firstMs, times }) => ({
        ...whereItRan(title, await model.report()),
        loading: formatMilliseconds(loadMs),
        first: firstMs === null ? '' : formatMilliseconds(firstMs),
        run: times.length === 0 ? '…' : `${formatMilliseconds(median(times))} of ${times.length}`,
      })),
    );
    const columns: Column<(typeof rows)[number]>[] = [
      { title: 'Device', cell: ({ model }) => model, heading: true },
      { title: 'Loading', cell: ({ loading }) => loading, numeric: true },
      { title: 'First run', cell: ({ first }) => first, numeric: true },
      { title: 'Median', cell: ({ run }) => run, numeric: true },
      { title: 'Nodes (operations)', cell: ({ nodes }) => nodes },
      { title: 'Engine', cell: ({ engine }) => engine },
    ];
    byId('run-times', HTMLElement).replaceChildren(table('Time for each device', columns, rows));
  }

  #showFields({ input, output }: Recipe): void {
    for (const field of document.querySelectorAll<HTMLElement>('#panel-run [data-for]')) {
      const kinds = field.dataset.for?.split(' ') ?? [];
      field.hidden = !kinds.includes(input) && !kinds.includes(`${input}-${output}`);
    }
    byId('run-range-note', HTMLElement).hidden = this.#isRangeKnown || input !== 'image';
  }

  #showCode(recipe: Recipe): void {
    const [device] = this.#devices;
    if (!device) return;
    const { model } = device;
    const open = openShapes(model, recipe.sampleRate);
    const info: CodeInfo = {
      file: `${this.#file?.name ?? 'model'}.tflite`,
      inputShape: open?.[0] ?? null,
      length: elementsOf(model.inputs[0]?.shape ?? []),
      hasLabels: this.#labels !== undefined,
      size: sizeOf(model),
      inputs: model.inputs.map((info) => ({
        name: info.name,
        elements: elementsOf(info.shape),
        array: info.quantize([]).constructor.name,
      })),
    };
    byId('run-code', HTMLElement).textContent = codeText(recipe, info);
  }

  /** Reads the names of the classes from a file. */
  async readLabels(file: File): Promise<void> {
    this.#setLabels(await readLabels(file), file.name);
    this.#changed();
  }

  #setLabels(labels: readonly string[] | undefined, name: string): void {
    this.#labels = labels;
    byId('run-labels-name', HTMLElement).textContent = name;
  }

  #toggleCamera(): void {
    if (this.#camera) {
      this.#stopCamera();
      this.#changed();
      return;
    }
    this.#status.busy('Waiting for camera access …');
    this.#cameraButton.disabled = true;
    Camera.open('environment')
      .then(
        (camera) => {
          this.#camera = camera;
          this.#cameraButton.textContent = 'Stop the camera';
          this.#start((signal) => this.#watch(camera, signal));
        },
        (error) => this.#status.error(error),
      )
      .finally(() => {
        this.#cameraButton.disabled = false;
      });
  }

  #stopCamera(): void {
    this.#camera?.stop();
    this.#camera = null;
    this.#cameraButton.textContent = 'Use the camera';
  }

  /** Runs the model on frames, on the faster device. */
  async #watch(camera: Camera, signal: AbortSignal): Promise<void> {
    const [device] = this.#devices.toSorted((one, other) => median(one.times) - median(other.times));
    if (!device) return this.#stopCamera();
    this.#selects.input.value = 'image';
    this.#status.ready('The camera is on. Its frames stay in this page.');
    try {
      for await (const frame of camera.frames()) {
        this.#image = frame;
        const { outcome } = await runModel(device.model, this.#recipe(), frame, this.#labels);
        if (signal.aborted) return;
        this.#showOutcome(outcome, frame);
      }
    } catch (error) {
      this.#stopCamera();
      throw error;
    }
  }
}
