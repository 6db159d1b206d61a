/** The home page's image: a small model finds the person, on WebNN and on the CPU in turn, as soon as the page opens. */

import { asset } from '../common/assets.js';
import { capability } from '../common/capabilities.js';
import { byId, create } from '../common/dom.js';
import { formatMilliseconds, formatPercent } from '../common/format.js';
import { ProgressBar } from '../common/progress_bar.js';
import { StatusLine } from '../common/status_line.js';
import { fetchSample } from './file_input.js';
import { downloadAhead, LoadedTask } from './loaded_task.js';
import { readImage } from './read_image.js';
import { median } from './run_clock.js';

const TASK = { key: 'person', file: 'selfie_segmenter' } as const;
const IMAGE = 'astronaut_small';
// Runs of each execution: the first ones are left out, caches and the processor's frequency settle.
const [WARM_UP, RUNS] = [2, 20];
const TITLES = { webnn: 'WebNN', cpu: 'CPU' } as const;

/** An execution, and the times of its runs. */
interface Side {
  readonly title: string;
  readonly task: LoadedTask<number>;
  /** In milliseconds. */
  readonly times: number[];
}

/** Shows the image, runs the model on each execution that the browser has, interleaved, and compares them. */
export async function showFirstSight(): Promise<void> {
  const status = new StatusLine(byId('status', HTMLElement));
  const progress = new ProgressBar(byId('progress', HTMLElement));
  const { signal } = new AbortController();
  try {
    downloadAhead([TASK.file], progress);
    const image = await readImage(await fetchSample(asset('files', IMAGE).url));
    const canvas = paint(image, null);
    status.busy('Loading a model …');
    const cpu = await LoadedTask.load<number>(TASK, 'cpu', progress, signal);
    const { result, layer } = await cpu.look(image, null);
    paint(image, layer);
    const text = `The model finds the person: ${formatPercent(result)} of the image. It blurs everything else`;
    canvas.setAttribute('aria-label', text);
    const sides: Side[] = [{ title: TITLES.cpu, task: cpu, times: [] }];
    const { there, detail } = await capability('webnn');
    showMissing(there ? null : detail);
    if (there) {
      status.busy(`${text}. Comparing WebNN with the CPU …`);
      const task = await LoadedTask.load<number>(TASK, 'webnn', progress, signal);
      sides.unshift({ title: TITLES.webnn, task, times: [] });
    }
    await compare(sides, image);
    status.ready(`${text}.`);
  } catch (error) {
    status.error(error);
  }
}

/** Runs each side in turn, and shows the medians. */
async function compare(sides: readonly Side[], image: ImageData): Promise<void> {
  for (let run = 0; run < WARM_UP + RUNS; run++) {
    for (const { task, times } of sides) {
      const ms = await task.time(image);
      if (run >= WARM_UP) times.push(ms);
    }
    if (run >= WARM_UP) showBars(sides);
  }
}

function showBars(sides: readonly Side[]): void {
  const medians = sides.map(({ title, times }) => ({ title, ms: median(times) }));
  const longest = Math.max(...medians.map(({ ms }) => ms));
  const rows = medians.flatMap(({ title, ms }) => {
    const bar = create('span', { class: 'bar' });
    bar.style.width = `calc((100% - 5.5rem) * ${ms / longest})`; // the time stands next to it
    return [create('dt', { text: title }), create('dd', {}, bar, create('span', { text: formatMilliseconds(ms) }))];
  });
  byId('bars', HTMLElement).replaceChildren(...rows);
  const [webnn, cpu] = medians;
  if (!webnn || !cpu) return;
  const ratio = cpu.ms / webnn.ms;
  byId('ratio', HTMLElement).textContent =
    ratio >= 1
      ? `WebNN is ${ratio.toFixed(1)} times as fast here.`
      : `The CPU is ${(1 / ratio).toFixed(1)} times as fast here.`;
}

/** @param reason - Why the browser has no WebNN; null if it has. */
function showMissing(reason: string | null): void {
  byId('no-webnn', HTMLElement).hidden = reason === null;
  byId('no-webnn-reason', HTMLElement).textContent = reason ?? '';
}

function paint(image: ImageData, layer: ImageBitmap | null): HTMLCanvasElement {
  const canvas = byId('canvas', HTMLCanvasElement);
  canvas.width = image.width;
  canvas.height = image.height;
  const drawing = canvas.getContext('2d');
  if (!drawing) throw new Error('This browser provides no 2D canvas context.');
  drawing.putImageData(image, 0, 0);
  if (layer) drawing.drawImage(layer, 0, 0);
  layer?.close();
  return canvas;
}
