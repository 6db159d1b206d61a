/** The home page's picture: two models name and colour it, on this browser's best engine, as soon as the page opens. */

import { type ClassMask, classShares } from 'tflite-webnn/results';
import { asset } from '../common/assets.js';
import { byId } from '../common/dom.js';
import { type Execution, ExecutionSwitch } from '../common/execution_switch.js';
import { formatMilliseconds, formatPercent } from '../common/format.js';
import { ProgressBar } from '../common/progress_bar.js';
import { StatusLine } from '../common/status_line.js';
import { classify } from './classification.js';
import { drawClasses } from './draw_segments.js';
import { Figures } from './figures.js';
import { fetchSample } from './file_input.js';
import { readLabels } from './model_labels.js';
import { ModelSet, modelFile } from './model_set.js';
import type { Net } from './net.js';
import { readPicture } from './read_picture.js';
import { findClasses } from './segmentation.js';

const CLASSIFIER = 'efficientnet_lite0_int8';
const SEGMENTER = 'deeplabv3_257';
const PICTURE = 'chelsea';
const BACKGROUND = 0;
const REPEATS = 8;
const TITLES: Partial<Record<Execution, string>> = { webnn: 'WebNN', cpu: 'CPU' };

/** What the models found. */
interface Findings {
  readonly label: string;
  readonly score: number;
  readonly mask: ClassMask;
}

/** Shows the picture, runs the models, and runs them again where the visitor switches to another execution. */
export async function showFirstSight(): Promise<void> {
  const status = new StatusLine(byId('status', HTMLElement));
  try {
    const picture = await readPicture(await fetchSample(asset('samples', PICTURE).url));
    const sight = new FirstSight(picture, status);
    const execution = await ExecutionSwitch.replace('execution', ['webnn', 'cpu']);
    const look = () => void sight.look(execution.value);
    execution.addEventListener('change', look);
    look();
  } catch (error) {
    status.error(error);
  }
}

class FirstSight {
  readonly #picture: ImageData;
  readonly #status: StatusLine;
  readonly #progress = new ProgressBar(byId('progress', HTMLElement));
  readonly #figures = new Figures(byId('figures', HTMLElement));
  readonly #canvas = byId('canvas', HTMLCanvasElement);
  readonly #medians = new Map<Execution, number>();
  #work = new AbortController();
  #last: Promise<void> = Promise.resolve();

  constructor(picture: ImageData, status: StatusLine) {
    this.#picture = picture;
    this.#status = status;
    this.#canvas.width = picture.width;
    this.#canvas.height = picture.height;
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
    if (signal.aborted) return;
    try {
      this.#status.busy('Loading two models …');
      const set = await ModelSet.load([CLASSIFIER, SEGMENTER], execution, this.#progress, signal);
      try {
        await this.#run(set, execution, signal);
      } finally {
        set.dispose();
      }
    } catch (error) {
      if (!signal.aborted) this.#status.error(error);
    }
  }

  async #run(set: ModelSet, execution: Execution, signal: AbortSignal): Promise<void> {
    const labels = await this.#labels();
    const findings = await this.#analyse(set, labels);
    signal.throwIfAborted();
    this.#show(findings, await this.#segmentLabels());
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      await this.#analyse(set, labels);
      signal.throwIfAborted();
    }
    this.#medians.set(execution, set.clock.medianMs ?? 0);
    this.#showTimes();
  }

  async #analyse({ nets: [classifier, segmenter], clock }: ModelSet, labels: readonly string[]): Promise<Findings> {
    try {
      const [best] = await classify(classifier as Net, this.#picture, labels, 1);
      const mask = await findClasses(segmenter as Net, this.#picture);
      clock.lap();
      return { label: best?.label ?? 'unknown', score: best?.score ?? 0, mask };
    } finally {
      clock.discard();
    }
  }

  #show({ label, score, mask }: Findings, segmentLabels: readonly string[]): void {
    drawClasses(this.#paint(), mask);
    const things = classShares(mask).filter(({ index, share }) => index !== BACKGROUND && share > 0.01);
    const covered = things.map(({ index, share }) => `${segmentLabels[index]} covers ${formatPercent(share)}`);
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

  async #labels(): Promise<readonly string[]> {
    return readLabels(await modelFile(CLASSIFIER, this.#progress));
  }

  async #segmentLabels(): Promise<readonly string[]> {
    return readLabels(await modelFile(SEGMENTER, this.#progress));
  }
}
