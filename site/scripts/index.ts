/** The home page: models on a sample image, the code to copy, the browser's capabilities and their effect on models. */

import './site.js';
import { type Capabilities, capabilities } from './common/capabilities.js';
import type { Capability } from './common/capability.js';
import { byId, create } from './common/dom.js';
import { acceptFiles } from './common/file_intake.js';
import { handOver } from './common/hand_over.js';
import { StatusLine } from './common/status_line.js';
import { showHomeDetection } from './demos/home_detection.js';

/** Texts for a capability. */
interface Meaning {
  readonly title: string;
  readonly there: string;
  readonly missing: string;
}

const MEANINGS: Readonly<Record<keyof Capabilities, Meaning>> = {
  webnn: {
    title: 'WebNN',
    there: 'Models run on the browser’s own neural-network engine.',
    missing:
      'Models run on XNNPACK in WebAssembly; the polyfill provides the WebNN API. Chrome and Edge have WebNN ' +
      'behind a flag: --enable-features=WebMachineLearningNeuralNetwork.',
  },
  webgpu: {
    title: 'WebGPU',
    there: 'The WebNN polyfill can run on the GPU.',
    missing: 'The WebNN polyfill runs on the CPU or on WebGL.',
  },
  webgl: {
    title: 'WebGL 2 in workers',
    there: 'The WebNN polyfill can use it without WebGPU.',
    missing: 'The WebNN polyfill runs on the CPU or on WebGPU.',
  },
  simd: {
    title: 'WebAssembly SIMD',
    there: 'TensorFlow Lite runs.',
    missing: 'TensorFlow Lite cannot run here: every variant needs SIMD.',
  },
  relaxedSimd: {
    title: 'Relaxed SIMD',
    there: 'The CPU uses the variant with fused multiply-add and integer dot-product instructions.',
    missing: 'The CPU uses the variant with baseline SIMD.',
  },
  threads: {
    title: 'Threads',
    there: 'The CPU can use several cores.',
    missing: 'The CPU uses one thread. Pages of this site that run models enable threads if they can.',
  },
  jspi: {
    title: 'JSPI',
    there: 'Python’s invoke() can wait for WebNN.',
    missing: 'In Python, WebNN needs “await interpreter.invoke_async()”. JavaScript does not need JSPI.',
  },
};

/** A one-sentence summary of the capabilities. */
function verdict(found: Capabilities): string {
  if (!found.simd.there) return 'This browser is too old for tflite-webnn: its WebAssembly has no SIMD.';
  if (found.webnn.there)
    return 'This browser has WebNN: models run on its own engine, and unsupported nodes on the CPU.';
  return `This browser has no WebNN that works: models run on the CPU, in WebAssembly with ${
    found.relaxedSimd.there ? 'relaxed SIMD' : 'SIMD'
  }.`;
}

function entry({ title, there, missing }: Meaning, capability: Capability): HTMLElement {
  const badge = create('span', {
    class: `badge ${capability.there ? 'good' : 'caution'}`,
    text: capability.there ? 'yes' : 'no',
  });
  const entry = create(
    'div',
    {},
    create('dt', {}, title, badge),
    create('dd', { text: capability.there ? there : missing }),
  );
  if (capability.detail) entry.append(create('dd', { class: 'note', text: capability.detail }));
  return entry;
}

/** Puts the example's text on the clipboard, and says so on the button. */
async function copyCode(button: HTMLButtonElement): Promise<void> {
  const code = byId('example', HTMLElement);
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    button.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(code);
    button.textContent = 'Selected: press Ctrl+C';
  }
}

let handing: Promise<unknown> = Promise.resolve();

/** Files are run by the explorer: all of those that come together. */
function runInExplorer(file: File): void {
  handing = handing.then(() => handOver(file));
  recognized()
    .then(() => handing)
    .then(() => location.assign('explorer.html#file=dropped'), fail);
}

function fail(error: unknown): void {
  const status = byId('status', HTMLElement);
  new StatusLine(status).error(error);
  status.scrollIntoView({ block: 'nearest' }); // on a phone it stands above the button
}

const recognized = acceptFiles(
  {
    handlers: {
      model: runInExplorer,
      bundle: runInExplorer,
      image: runInExplorer,
      sound: runInExplorer,
      text: runInExplorer,
    },
    requested: 'Choose a .tflite model, with its labels, an image or a sound.',
    zone: byId('run-mine', HTMLElement),
    failed: fail,
  },
  byId('file', HTMLInputElement),
);

const copyButton = byId('copy', HTMLButtonElement);
copyButton.addEventListener('click', () => void copyCode(copyButton));

await showHomeDetection();
const found = await capabilities();
new StatusLine(byId('verdict', HTMLElement)).ready(verdict(found));
const names = Object.keys(MEANINGS) as (keyof Capabilities)[];
byId('capabilities', HTMLElement).append(...names.map((name) => entry(MEANINGS[name], found[name])));
