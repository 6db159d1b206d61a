/** The benchmark page: compares the runtimes that this browser can run on one model. */

import './site.js';
import { hostedCandidate, inputsOf } from './benchmark/host.js';
import { makeInputs } from './benchmark/inputs.js';
import { timesFigure } from './benchmark/plot.js';
import { type ResultOrigin, resultJson, resultTable, storedNote } from './benchmark/result.js';
import { type Row, runBenchmark } from './benchmark/run_benchmark.js';
import { type Runtime, runtimesFor } from './benchmark/runtime.js';
import { storedTimes } from './benchmark/stored.js';
import { addressValue, keepInAddress } from './common/address.js';
import { capability } from './common/capabilities.js';
import { byId, create } from './common/dom.js';
import { isolated } from './common/isolation.js';
import { ModelPicker, type PickedModel } from './common/model_picker.js';
import { ProgressBar } from './common/progress_bar.js';
import { saveFile } from './common/save_file.js';
import { StatusLine } from './common/status_line.js';

const status = new StatusLine(byId('status', HTMLElement));
const progress = new ProgressBar(byId('progress', HTMLElement));
const start = byId('start', HTMLButtonElement);
const stop = byId('stop', HTMLButtonElement);
const save = byId('save-result', HTMLButtonElement);
const results = byId('results', HTMLElement);
const rounds = byId('rounds', HTMLSelectElement);
const stored = storedTimes();
const choices = new Map<HTMLInputElement, Runtime>();

// Large enough that its times are those of the network, and every runtime accepts it.
const FIRST_MODEL = 'deeplabv3_257';

let picked: PickedModel | null = null;
let running: AbortController | null = null;
let last: { origin: ResultOrigin; rows: readonly Row[] } | null = null;

async function offerRuntimes(): Promise<void> {
  await isolated();
  const requested = addressValue('runtimes')?.split(',');
  const [webnn, jspi, threads] = [await capability('webnn'), await capability('jspi'), await capability('threads')];
  const items = runtimesFor({ webnn, jspi, threads }, navigator.hardwareConcurrency).map((runtime, index) => {
    const id = `runtime-${index}`;
    // Preselected: those in the address, else the single-threaded ones.
    const isRequested = requested?.includes(runtime.name) ?? !runtime.name.endsWith('-threads');
    const checked = runtime.missing === null && isRequested;
    const box = create('input', {
      type: 'checkbox',
      id,
      checked,
      disabled: runtime.missing !== null,
      value: runtime.name,
    });
    choices.set(box, runtime);
    const note = runtime.missing === null ? [] : [create('span', { class: 'note', text: runtime.missing })];
    return create('div', { class: 'choice' }, box, create('label', { for: id, text: runtime.title }), ...note);
  });
  byId('runtimes', HTMLElement).replaceChildren(...items);
}

/** Reads the number of rounds from the address, and keeps the choices there from now on. */
function shareChoices(): void {
  const requested = addressValue('rounds');
  if ([...rounds.options].some(({ value }) => value === requested)) rounds.value = requested ?? rounds.value;
  const keep = () => {
    const names = chosenRuntimes().map(({ name }) => name);
    keepInAddress('runtimes', names.join(','));
    keepInAddress('rounds', rounds.value);
  };
  rounds.addEventListener('change', keep);
  byId('runtimes', HTMLElement).addEventListener('change', keep);
}

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    status.ready('The link is on the clipboard: it opens this page with this model, these runtimes and rounds.');
  } catch {
    status.ready(`The link is this page’s address: ${location.href}`);
  }
}

function chosenRuntimes(): Runtime[] {
  return [...choices].filter(([box]) => box.checked).map(([, runtime]) => runtime);
}

/** Runs the benchmark selected in the form. */
async function run(model: PickedModel): Promise<void> {
  const runtimes = chosenRuntimes();
  if (runtimes.length === 0) return status.error(new Error('Choose at least one runtime.'));
  running = new AbortController();
  setRunning(true);
  const version = document.documentElement.dataset.version ?? '';
  const started = new Date().toISOString();
  const origin = {
    model: model.name,
    sizeBytes: model.bytes.byteLength,
    rounds: Number(rounds.value),
    started,
    version,
  };
  try {
    status.busy(`Reading ${model.name}…`);
    const infos = await inputsOf(model);
    const inputs = { infos, values: makeInputs(infos) };
    const rows = await runBenchmark(runtimes, (runtime) => hostedCandidate(runtime, model, inputs), {
      rounds: origin.rounds,
      signal: running.signal,
      onProgress: ({ text, done, total }) => {
        status.busy(text);
        showProgress(done / total);
      },
    });
    show(origin, rows);
    status.ready(running.signal.aborted ? 'Stopped.' : 'Done.');
  } catch (error) {
    status.error(error);
  } finally {
    setRunning(false);
    running = null;
  }
}

function setRunning(isRunning: boolean): void {
  start.disabled = isRunning || picked === null;
  stop.hidden = !isRunning;
  byId('runtimes-field', HTMLFieldSetElement).disabled = isRunning;
  byId('benchmark-progress', HTMLProgressElement).hidden = !isRunning;
  if (isRunning) showProgress(0);
}

function showProgress(share: number): void {
  byId('benchmark-progress', HTMLProgressElement).value = share;
}

function show(origin: ResultOrigin, rows: readonly Row[]): void {
  last = { origin, rows };
  const parts = [timesFigure(rows), resultTable(origin, rows, stored), storedNote(origin, stored)];
  byId('result', HTMLElement).replaceChildren(...parts.filter((part) => part !== null));
  results.hidden = false;
}

start.addEventListener('click', () => {
  if (picked !== null) void run(picked);
});
stop.addEventListener('click', () => running?.abort());
byId('share', HTMLButtonElement).addEventListener('click', () => void copyLink());
save.addEventListener('click', () => {
  if (last !== null) saveFile(`bench_${last.origin.model}.json`, resultJson(last.origin, last.rows));
});

const picker = new ModelPicker(progress, {
  picked: (model) => {
    picked = model;
    status.ready(`${model.name} is ready.`);
    setRunning(running !== null);
  },
  failed: (error) => status.error(error),
  requested: 'Choose a .tflite model; the inputs are generated. The explorer’s tab Run accepts images and sounds.',
});
await offerRuntimes();
shareChoices();
if (!picker.chooseFromAddress(FIRST_MODEL)) status.ready('Choose a model.');
