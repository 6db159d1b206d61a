/** The home page's image: a small model finds the face as soon as the page opens, interleaved on WebNN and the CPU. */

import type { Detection } from 'tflite-webnn/results';
import { asset } from '../common/assets.js';
import { capability } from '../common/capabilities.js';
import { byId } from '../common/dom.js';
import { ProgressBar } from '../common/progress_bar.js';
import { StatusLine } from '../common/status_line.js';
import { scoreText } from '../vision/boxes.js';
import { ratioText, showBars } from './bars.js';
import { fetchSample } from './file_input.js';
import { downloadAhead, LoadedTask } from './loaded_task.js';
import { readImage } from './read_image.js';
import { median } from './run_clock.js';

const TASK = { key: 'detection', file: 'face_detection_short_range' } as const;
const IMAGE = 'astronaut_small';
// Runs of each execution: the first ones are left out, caches and the processor's frequency settle.
const [WARM_UP, RUNS] = [2, 20];
// Each time that the bars change, the browser lays the page out.
const RUNS_SHOWN = 5;
const TITLES = { webnn: 'WebNN', cpu: 'CPU' } as const;

/** An execution, and the times of its runs. */
interface Candidate {
  readonly title: string;
  readonly task: LoadedTask<readonly Detection[]>;
  /** In milliseconds. */
  readonly times: number[];
}

const status = new StatusLine(byId('status', HTMLElement));
const progress = new ProgressBar(byId('progress', HTMLElement));

/** Shows the image, runs the model on each execution that the browser has, interleaved, and compares them. */
export async function showHomeDetection(): Promise<void> {
  const { signal } = new AbortController();
  try {
    downloadAhead(TASK.file, progress);
    const image = await readImage(await fetchSample(asset('files', IMAGE).url));
    const canvas = paint(image, null);
    status.busy('Loading a model …');
    const cpu = await LoadedTask.load<readonly Detection[]>(TASK, 'cpu', progress, signal);
    const { result, layer } = await cpu.process(image, null);
    paint(image, layer);
    const [face] = result;
    const text = face ? `The model finds the face: ${scoreText(face.score)} sure` : 'The model finds no face';
    canvas.setAttribute('aria-label', text);
    const candidates: Candidate[] = [{ title: TITLES.cpu, task: cpu, times: [] }];
    const { there, detail } = await capability('webnn');
    showMissing(there ? null : detail);
    if (there) {
      status.busy(`${text}. Comparing WebNN with the CPU …`);
      const task = await LoadedTask.load<readonly Detection[]>(TASK, 'webnn', progress, signal);
      candidates.unshift({ title: TITLES.webnn, task, times: [] });
    }
    await measure(candidates, image);
    status.ready(`${text}.`);
    offerComparison(`${text}.`);
  } catch (error) {
    status.error(error);
  }
}

/** Runs each candidate in turn, and shows the medians. */
async function measure(candidates: readonly Candidate[], image: ImageData): Promise<void> {
  for (let run = 1 - WARM_UP; run <= RUNS; run++) {
    for (const { task, times } of candidates) {
      const ms = await task.time(image);
      if (run > 0) times.push(ms);
    }
    if (run < 1 || run % RUNS_SHOWN > 0) continue;
    const bars = candidates.map(({ title, times }) => ({ title, ms: median(times) }));
    showBars(byId('bars', HTMLElement), bars);
    const [webnn, cpu] = bars;
    if (webnn && cpu) byId('ratio', HTMLElement).textContent = ratioText(webnn, { ...cpu, title: 'the CPU' });
  }
}

/** The other runtimes are fetched when the visitor starts them. */
function offerComparison(text: string): void {
  const button = byId('compare', HTMLButtonElement);
  button.disabled = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      status.busy('Fetching LiteRT.js and tfjs-tflite …');
      const address = new URL('./home_comparison.mjs', import.meta.url).href;
      const { compareRuntimes } = (await import(address)) as typeof import('../home_comparison.js');
      const model = { ...asset('models', TASK.file), name: TASK.file };
      const { bars, ratios, failures } = await compareRuntimes(model, (what, share) => {
        status.busy(`${what} …`);
        progress.showSteps('Comparing', share, 1);
      });
      showBars(byId('bars', HTMLElement), bars);
      byId('ratio', HTMLElement).textContent = ratios.join(' ');
      status.ready([text, ...failures].join('\n'));
    } catch (error) {
      status.error(error);
    } finally {
      progress.hide();
      button.disabled = false;
    }
  });
}

/** @param reason - Why the browser has no WebNN; null if it has. */
function showMissing(reason: string | null): void {
  byId('no-webnn', HTMLElement).hidden = reason === null;
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
