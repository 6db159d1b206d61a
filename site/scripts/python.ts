/** Python page: a console that runs models with tflite_webnn. */

import './site.js';
import { byId, create } from './common/dom.js';
import { acceptFiles } from './common/file_intake.js';
import { formatBytes, formatMilliseconds } from './common/format.js';
import { isolated } from './common/isolation.js';
import { ProgressBar } from './common/progress_bar.js';
import { StatusLine } from './common/status_line.js';
import { PythonInterpreter, START_BYTES } from './python/interpreter.js';

interface Example {
  readonly title: string;
  readonly code: string;
}

const examples = JSON.parse(byId('python-examples', HTMLScriptElement).textContent ?? '[]') as readonly Example[];
const choice = byId('example', HTMLSelectElement);
const code = byId('code', HTMLTextAreaElement);
const runButton = byId('run', HTMLButtonElement);
const stopButton = byId('stop', HTMLButtonElement);
const output = byId('output', HTMLElement);
const status = new StatusLine(byId('status', HTMLElement));
const progressBar = new ProgressBar(byId('progress', HTMLElement));

// Of the example for the visitor's model.
const MODEL_LINE = /^MODEL = .*$/m;

let loadedBytes = 0;
let ready = false;

const python = new PythonInterpreter({
  fetched(bytes) {
    if (ready) return;
    loadedBytes += bytes;
    progressBar.show('Downloading Python', { loadedBytes, totalBytes: Math.max(loadedBytes, START_BYTES) });
  },
  ready(version) {
    ready = true;
    progressBar.hide();
    status.busy(`Python is running (Pyodide ${version}) …`);
  },
  output: (stream, text) => say(stream, text),
  image(image) {
    const canvas = create('canvas', { width: image.width, height: image.height, role: 'img' });
    canvas.setAttribute('aria-label', `Image, ${image.width} by ${image.height} pixels`);
    canvas.getContext('2d')?.putImageData(image, 0, 0);
    output.append(canvas);
  },
});

function say(kind: 'in' | 'out' | 'err' | 'value', text: string): void {
  output.append(create('div', { class: `said ${kind}`, text }));
  output.scrollTop = output.scrollHeight;
}

/** The first line of the code, as a label of the run. */
function beginning(text: string): string {
  const lines = text.trim().split('\n');
  return lines.length > 1 ? `${lines[0]} … ${lines.length} lines` : (lines[0] ?? '');
}

async function run(): Promise<void> {
  await isolated();
  runButton.disabled = true;
  stopButton.disabled = false;
  if (!python.started) {
    ready = false;
    loadedBytes = 0;
    status.busy('Starting Python …');
    progressBar.show('Downloading Python', { loadedBytes, totalBytes: START_BYTES });
  } else {
    status.busy('Python is running …');
  }
  say('in', beginning(code.value));
  const startMs = performance.now();
  try {
    const value = await python.run(code.value);
    if (value !== null) say('value', value);
    status.ready(`Done in ${formatMilliseconds(performance.now() - startMs)}.`);
  } catch (error) {
    say('err', error instanceof Error ? error.message : String(error));
    status.ready('Failed. The output shows the error.');
  } finally {
    progressBar.hide();
    runButton.disabled = false;
    stopButton.disabled = true;
  }
}

/** Puts a file of the visitor's into Python's directory; the code of the example for models gets its name. */
async function addFile(file: File, isModel: boolean): Promise<void> {
  python.addFile(file.name, new Uint8Array(await file.arrayBuffer()));
  const name = JSON.stringify(file.name);
  if (isModel) {
    const own = examples.findIndex(({ code }) => MODEL_LINE.test(code));
    choice.selectedIndex = own;
    code.value = (examples[own]?.code ?? '').replace(MODEL_LINE, `MODEL = ${name}`);
  }
  status.ready(`${file.name} is in Python’s directory${isModel ? ': press Run' : `: open(${name}, "rb")`}.`);
}

const model = (file: File) => void addFile(file, true);
const other = (file: File) => void addFile(file, false);
acceptFiles(
  {
    handlers: { model, image: other, sound: other, text: other, bundle: other },
    requested: 'Choose a .tflite model, or files for your code: images, sounds, texts.',
    zone: code,
    failed: (error) => status.error(error),
  },
  byId('file', HTMLInputElement),
);
byId('start-size', HTMLElement).textContent = formatBytes(START_BYTES);
choice.addEventListener('change', () => {
  code.value = examples[choice.selectedIndex]?.code ?? '';
});
runButton.addEventListener('click', () => void run());
stopButton.addEventListener('click', () => python.stop());
byId('clear', HTMLButtonElement).addEventListener('click', () => output.replaceChildren());
code.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || runButton.disabled) return;
  event.preventDefault();
  void run();
});
runButton.disabled = false;
