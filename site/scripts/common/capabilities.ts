/** Browser features that affect speed, each detected once per page, when it is requested. */

import { jspi, relaxedSimd, simd } from 'wasm-feature-detect';
import { type Capability, missing, processor } from './capability.js';

/** All features. */
export interface Capabilities {
  readonly webnn: Capability;
  readonly webgpu: Capability;
  /** In workers, where models run. */
  readonly webgl: Capability;
  readonly simd: Capability;
  readonly relaxedSimd: Capability;
  readonly threads: Capability;
  readonly jspi: Capability;
}

// The parts of WebNN and WebGPU used here; TypeScript's DOM library has neither.
interface NavigatorWithEngines {
  readonly ml?: { createContext(options?: object): Promise<{ destroy?(): void }> };
  readonly gpu?: { requestAdapter(): Promise<GpuAdapter | null> };
}
interface GpuAdapter {
  readonly info?: {
    readonly vendor?: string;
    readonly architecture?: string;
    readonly description?: string;
    readonly isFallbackAdapter?: boolean;
  };
}

/** Name of a feature. */
export type Feature = keyof Capabilities;

const DETECTORS: Readonly<Record<Feature, () => Promise<Capability>>> = {
  webnn: detectWebnn,
  webgpu: detectWebgpu,
  webgl: detectWebgl,
  simd: () => detectWasm(simd),
  relaxedSimd: () => detectWasm(relaxedSimd),
  threads: detectThreads,
  jspi: () => detectWasm(jspi),
};

const detected = new Map<Feature, Promise<Capability>>();

/** Detects a feature, once. */
export function capability(feature: Feature): Promise<Capability> {
  const found = detected.get(feature) ?? DETECTORS[feature]();
  detected.set(feature, found);
  return found;
}

/** Detects all features, each once. */
export async function capabilities(): Promise<Capabilities> {
  const features = Object.keys(DETECTORS) as Feature[];
  const found = await Promise.all(features.map(async (feature) => [feature, await capability(feature)] as const));
  return Object.fromEntries(found) as Record<Feature, Capability>;
}

async function detectWasm(detect: () => Promise<boolean>): Promise<Capability> {
  return { there: await detect(), detail: '' };
}

async function detectWebnn(): Promise<Capability> {
  const { ml } = navigator as NavigatorWithEngines;
  if (!isSecureContext) return missing('browsers offer it only over https or on localhost');
  if (!ml) return missing('navigator.ml does not exist');
  try {
    const context = await ml.createContext();
    context.destroy?.();
    return { there: true, detail: '' };
  } catch (error) {
    return missing(`createContext() failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function detectWebgpu(): Promise<Capability> {
  const { gpu } = navigator as NavigatorWithEngines;
  if (!gpu) return missing('navigator.gpu does not exist');
  try {
    const adapter = await gpu.requestAdapter();
    if (!adapter) return missing('the browser finds no adapter');
    const { vendor, architecture, description, isFallbackAdapter = false } = adapter.info ?? {};
    const name = description || [vendor, architecture].filter(Boolean).join(' ');
    return processor(name, isFallbackAdapter);
  } catch (error) {
    return missing(error instanceof Error ? error.message : String(error));
  }
}

/** A thread waits for its context until the GPU process, or a software renderer, has started: not the page's. */
function detectWebgl(): Promise<Capability> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./webgl_worker.mjs', import.meta.url), { type: 'module' });
    const end = (found: Capability) => {
      worker.terminate();
      resolve(found);
    };
    worker.onmessage = ({ data }: MessageEvent<Capability>) => end(data);
    worker.onerror = () => end(missing('the worker that looks for it does not start'));
  });
}

async function detectThreads(): Promise<Capability> {
  const cores = `${navigator.hardwareConcurrency} logical processors`;
  return crossOriginIsolated ? { there: true, detail: cores } : missing('this page is not cross-origin isolated');
}
