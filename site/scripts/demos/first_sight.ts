/** The home page's picture: two models name and colour it, on this browser's best engine, as soon as the page opens. */

import { proxy, type Remote, wrap } from 'comlink';
import { asset } from '../common/assets.js';
import { byId } from '../common/dom.js';
import { type Execution, ExecutionSwitch } from '../common/execution_switch.js';
import { formatMilliseconds, formatPercent } from '../common/format.js';
import { keepAlso } from '../common/offline.js';
import { ProgressBar } from '../common/progress_bar.js';
import { StatusLine } from '../common/status_line.js';
import type { Findings, FirstSightCalls } from '../first_sight_worker.js';
import { drawOverlay } from './draw_segments.js';
import { Figures } from './figures.js';
import { fetchSample } from './file_input.js';
import { readPicture } from './read_picture.js';

const MODELS = ['efficientnet_lite0_int8', 'deeplabv3_257'];
const PICTURE = 'chelsea';
const REPEATS = 8;
const TITLES: Partial<Record<Execution, string>> = { webnn: 'WebNN', cpu: 'CPU' };

/** Shows the picture, runs the models, and runs them again where the visitor switches to another execution. */
export async function showFirstSight(): Promise<void> {
  const url = new URL('./first_sight_worker.mjs', import.meta.url);
  const worker: Remote<FirstSightCalls> = wrap(new Worker(url, { type: 'module' }));
  const shown = show(worker);
  keepAlso(() => shown.then(() => worker.loaded()));
  await shown;
}

async function show(worker: Remote<FirstSightCalls>): Promise<void> {
  const status = new StatusLine(byId('status', HTMLElement));
  try {
    const picture = await readPicture(await fetchSample(asset('samples', PICTURE).url));
    const sight = new FirstSight(picture, worker, status);
    const execution = await ExecutionSwitch.replace('execution', ['webnn', 'cpu']);
    execution.addEventListener('change', () => void sight.look(execution.value));
    await sight.look(execution.value);
  } catch (error) {
    status.error(error);
  }
}

class FirstSight {
  readonly #picture: ImageData;
  readonly #worker: Remote<FirstSightCalls>;
  readonly #status: StatusLine;
  readonly #progress = new ProgressBar(byId('progress', HTMLElement));
  readonly #figures = new Figures(byId('figures', HTMLElement));
  readonly #canvas = byId('canvas', HTMLCanvasElement);
  readonly #medians = new Map<Execution, number>();
  #work = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor(picture: ImageData, worker: Remote<FirstSightCalls>, status: StatusLine) {
    this.#picture = picture;
    this.#worker = worker;
    this.#status = status;
    this.#canvas.width = picture.width;
    this.#canvas.height = picture.height;
    this.#paint();
  }

  /** Ends what runs, then runs the models with this execution. */
  look(execution: Execution): Promise<void> {
    this.#work.abort();
    void this.#worker.stop();
    this.#work = new AbortController();
    const { signal } = this.#work;
    this.#last = this.#last.then(() => this.#look(execution, signal));
    return this.#last;
  }

  async #look(execution: Execution, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      this.#status.busy('Loading two models …');
      await this.#worker.load(MODELS.map(namedModel), execution, proxy(this.#progress));
      signal.throwIfAborted();
      this.#show(await this.#worker.look(this.#picture));
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        signal.throwIfAborted();
        this.#medians.set(execution, await this.#worker.time(this.#picture));
      }
      this.#showTimes();
    } catch (error) {
      if (!signal.aborted) this.#status.error(error);
    }
  }

  #show({ label, score, things, overlay }: Findings): void {
    drawOverlay(this.#paint(), overlay);
    const covered = things.map(({ label, share }) => `${label} covers ${formatPercent(share)}`);
    const text = [`${label}, ${formatPercent(score)} sure`, ...covered].join('; ');
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
    drawing.putImageData(this.#picture, 0, 0);
    return drawing;
  }
}

function namedModel(name: string) {
  const { url, sizeBytes } = asset('models', name);
  return { name, url: new URL(url, document.baseURI).href, sizeBytes };
}
