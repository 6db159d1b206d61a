/** Home: what the visitor's browser can do, and what that means for models in it. */

import { type Capabilities, type Capability, capabilities } from './common/capabilities.js';
import { byId, create } from './common/dom.js';

/** What is said of a capability. */
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
      'Models run on XNNPACK in WebAssembly; the polyfill gives pages the WebNN API. Chrome and Edge have WebNN behind a ' +
      'flag: --enable-features=WebMachineLearningNeuralNetwork.',
  },
  webgpu: {
    title: 'WebGPU',
    there: 'The polyfill of WebNN can compute on the GPU.',
    missing: 'The polyfill of WebNN computes on the CPU, or by WebGL.',
  },
  webgl: {
    title: 'WebGL 2 in workers',
    there: 'The polyfill of WebNN can compute by it where there is no WebGPU.',
    missing: 'The polyfill of WebNN computes on the CPU, or by WebGPU.',
  },
  simd: {
    title: 'WebAssembly SIMD',
    there: 'TensorFlow Lite runs.',
    missing: 'TensorFlow Lite cannot run here: every variant of it needs SIMD.',
  },
  relaxedSimd: {
    title: 'Relaxed SIMD',
    there: 'What is on the CPU takes the variant with fused and integer dot-product instructions.',
    missing: 'What is on the CPU takes the variant with plain SIMD.',
  },
  threads: {
    title: 'Threads',
    there: 'What is on the CPU can use several processors.',
    missing: 'One thread computes here. Pages of this site with models turn threads on by themselves where they can.',
  },
  jspi: {
    title: 'JSPI',
    there: 'Python’s invoke() can wait for WebNN.',
    missing: 'In Python, WebNN takes “await interpreter.invoke_async()”. Pages do not need JSPI.',
  },
};

/** One sentence on what all of it comes to. */
function verdict(found: Capabilities): string {
  if (!found.simd.there) return 'This browser is too old for tflite-webnn: its WebAssembly has no SIMD.';
  if (found.webnn.there)
    return 'This browser has WebNN: models run on its own engine, and what that cannot take on the CPU.';
  return `This browser has no WebNN that works, so models run on the CPU, in WebAssembly with ${
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

const found = await capabilities();
byId('verdict', HTMLElement).textContent = verdict(found);
const names = Object.keys(MEANINGS) as (keyof Capabilities)[];
byId('capabilities', HTMLElement).append(...names.map((name) => entry(MEANINGS[name], found[name])));
