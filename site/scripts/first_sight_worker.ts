/** The home page's worker: two models name and colour its picture, so that the page stays responsive. */

import { expose, type ProxyMarked, transfer } from 'comlink';
import { loadTFLiteModel, type TFLiteModel } from 'tflite-webnn';
import { type ClassMask, classShares } from 'tflite-webnn/results';
import type { Asset } from './common/assets.js';
import { type Execution, executionOptions } from './common/execution_switch.js';
import { showLoading } from './common/load_model.js';
import type { ProgressView } from './common/progress_bar.js';
import { classify } from './demos/classification.js';
import { classOverlay } from './demos/draw_segments.js';
import { downloadOnce } from './demos/model_files.js';
import { readLabels } from './demos/model_labels.js';
import { type Net, netOf } from './demos/net.js';
import { RunClock } from './demos/run_clock.js';
import { findClasses } from './demos/segmentation.js';

const BACKGROUND = 0;
// Smaller shares are noise at the edges of objects.
const MIN_SHARE = 0.01;

/** A model's name, and its file with an absolute URL. */
export type NamedModel = Asset & { readonly name: string };

/** What the models found. */
export interface Findings {
  readonly label: string;
  readonly score: number;
  readonly things: readonly { readonly label: string; readonly share: number }[];
  /** The things' colours, at the resolution of the segmentation. */
  readonly overlay: ImageData;
}

/** A loaded model with its labels. */
interface LabelledNet {
  readonly model: TFLiteModel;
  readonly net: Net;
  readonly labels: readonly string[];
}

let nets: LabelledNet[] = [];
let clock = new RunClock();
let work = new AbortController();

/** Calls of the page to the worker: one after the other, but for stop(). */
const calls = {
  /** Loads the classifier and the segmenter, in place of those before. */
  async load(models: readonly NamedModel[], execution: Execution, view: ProgressView & ProxyMarked): Promise<void> {
    for (const { model } of nets) model.dispose();
    nets = [];
    clock = new RunClock();
    work = new AbortController();
    for (const model of models) nets.push(await loadNet(model, execution, view, work.signal));
  },

  /** Ends a load, which rejects. */
  stop(): void {
    work.abort();
  },

  /** Runs the models on a picture. */
  async look(picture: ImageData): Promise<Findings> {
    const { label, score, mask } = await run(picture);
    const covers = classShares(mask).filter(({ index, share }) => index !== BACKGROUND && share > MIN_SHARE);
    const things = covers.map(({ index, share }) => ({ label: nets[1]?.labels[index] ?? `class ${index}`, share }));
    const overlay = classOverlay(mask);
    return transfer({ label, score, things, overlay }, [overlay.data.buffer]);
  },

  /**
   * Runs the models again, for their time.
   *
   * @returns The median of all runs of these models but the first, both models together, in milliseconds.
   */
  async time(picture: ImageData): Promise<number> {
    await run(picture);
    return clock.medianMs ?? 0;
  },

  /** Addresses of what this worker has loaded. */
  loaded(): string[] {
    return performance.getEntriesByType('resource').map(({ name }) => name);
  },
};

/** Calls of the page to the worker. */
export type FirstSightCalls = typeof calls;

async function loadNet(
  { name, ...file }: NamedModel,
  execution: Execution,
  view: ProgressView,
  signal: AbortSignal,
): Promise<LabelledNet> {
  const bytes = await downloadOnce(name, file, view, signal);
  try {
    const onProgress = (progress: Parameters<typeof showLoading>[1]) => showLoading(view, progress);
    const model = await loadTFLiteModel(bytes, { ...executionOptions(execution), onProgress, signal });
    return { model, net: clock.timed(netOf(model)), labels: await readLabels(bytes) };
  } finally {
    view.hide();
  }
}

async function run(picture: ImageData): Promise<{ label: string; score: number; mask: ClassMask }> {
  const [classifier, segmenter] = nets as [LabelledNet, LabelledNet];
  try {
    const [best] = await classify(classifier.net, picture, classifier.labels, 1);
    const mask = await findClasses(segmenter.net, picture);
    clock.lap();
    return { label: best?.label ?? 'unknown', score: best?.score ?? 0, mask };
  } finally {
    clock.discard();
  }
}

expose(calls);
