/** The home page's image: two models name and colour it, on this browser's best engine, as soon as the page opens. */

import type { Category } from 'tflite-webnn/vision';
import { asset } from '../common/assets.js';
import { byId } from '../common/dom.js';
import { type Execution, ExecutionSwitch } from '../common/execution_switch.js';
import { formatMilliseconds, formatPercent } from '../common/format.js';
import { ProgressBar } from '../common/progress_bar.js';
import { StatusLine } from '../common/status_line.js';
import { BACKGROUND } from '../vision/colours.js';
import type { Part } from '../vision/segmentation.js';
import type { Look } from '../vision_worker.js';
import { Figures } from './figures.js';
import { fetchSample } from './file_input.js';
import { downloadAhead, LoadedTask } from './loaded_task.js';
import { readImage } from './read_image.js';
import { RunClock } from './run_clock.js';

const CLASSIFIER = { key: 'classification', file: 'efficientnet_lite0_int8' } as const;
const SEGMENTER = { key: 'classes', file: 'deeplabv3_257' } as const;
const IMAGE = 'chelsea';
// Smaller shares are noise at the edges of objects.
const MIN_SHARE = 0.01;
const REPEATS = 8;
const TITLES: Partial<Record<Execution, string>> = { webnn: 'WebNN', cpu: 'CPU' };

/** Shows the image, runs the models, and runs them again where the visitor switches to another execution. */
export async function showFirstSight(): Promise<void> {
  const status = new StatusLine(byId('status', HTMLElement));
  const progress = new ProgressBar(byId('progress', HTMLElement));
  try {
    downloadAhead([CLASSIFIER.file, SEGMENTER.file], progress);
    const [image, execution] = await Promise.all([
      fetchSample(asset('samples', IMAGE).url).then(readImage),
      ExecutionSwitch.replace('execution', ['webnn', 'cpu']),
    ]);
    const sight = new FirstSight(image, status, progress);
    execution.addEventListener('change', () => void sight.look(execution.value));
    await sight.look(execution.value);
  } catch (error) {
    status.error(error);
  }
}

class FirstSight {
  readonly #image: ImageData;
  readonly #status: StatusLine;
  readonly #progress: ProgressBar;
  readonly #figures = new Figures(byId('figures', HTMLElement));
  readonly #canvas = byId('canvas', HTMLCanvasElement);
  readonly #medians = new Map<Execution, number>();
  #work = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor(image: ImageData, status: StatusLine, progress: ProgressBar) {
    this.#image = image;
    this.#status = status;
    this.#progress = progress;
    this.#canvas.width = image.width;
    this.#canvas.height = image.height;
    this.#paint();
  }

  /** Ends what runs, then runs the models with this execution. */
  look(execution: Execution): Promise<void> {
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    this.#last = this.#last.then(() => this.#look(execution, signal));
    return this.#last;
  }

  async #look(execution: Execution, signal: AbortSignal): Promise<void> {
    try {
      signal.throwIfAborted();
      this.#status.busy('Loading two models …');
      const segmenting = LoadedTask.load<readonly Part[]>(SEGMENTER, execution, this.#progress, signal);
      segmenting.catch(() => {}); // reported where it is awaited
      const classifier = await LoadedTask.load<readonly Category[]>(CLASSIFIER, execution, this.#progress, signal);
      const named = await classifier.look(this.#image, null);
      const name = nameOf(named.result);
      this.#status.busy(`${name}. Colouring it …`);
      const segmenter = await segmenting;
      const coloured = await segmenter.look(this.#image, null);
      signal.throwIfAborted();
      this.#show(name, coloured);
      const clock = new RunClock();
      clock.add(named.times.model + coloured.times.model);
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        signal.throwIfAborted();
        clock.add((await classifier.time(this.#image)) + (await segmenter.time(this.#image)));
      }
      this.#medians.set(execution, clock.medianMs ?? 0);
      this.#showTimes();
    } catch (error) {
      if (!signal.aborted) this.#status.error(error);
    }
  }

  #show(name: string, { result: parts, layer }: Look<readonly Part[]>): void {
    const drawing = this.#paint();
    if (layer) drawing.drawImage(layer, 0, 0);
    layer?.close();
    const things = parts.filter(({ index, share }) => index !== BACKGROUND && share > MIN_SHARE);
    const covered = things.map(({ label, share }) => `${label} covers ${formatPercent(share)}`);
    const text = [name, ...covered].join('; ');
    this.#canvas.setAttribute('aria-label', text);
    this.#status.ready(`${text}.`);
  }

  #showTimes(): void {
    for (const [execution, ms] of this.#medians)
      this.#figures.set(TITLES[execution] ?? execution, formatMilliseconds(ms));
    const [webnn, cpu] = [this.#medians.get('webnn'), this.#medians.get('cpu')];
    if (webnn && cpu) this.#figures.set('CPU ÷ WebNN', (cpu / webnn).toFixed(1));
  }

  #paint(): CanvasRenderingContext2D {
    const drawing = this.#canvas.getContext('2d');
    if (!drawing) throw new Error('This browser provides no 2D canvas context.');
    drawing.putImageData(this.#image, 0, 0);
    return drawing;
  }
}

function nameOf([best]: readonly Category[]): string {
  return best ? `${best.categoryName}, ${formatPercent(best.score)} sure` : 'no class found';
}
