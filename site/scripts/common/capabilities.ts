/** What this browser has of that which speed depends on. Asked once a page. */

import { jspi, relaxedSimd, simd } from 'wasm-feature-detect';

/** A feature: whether it is there, and what is known about it. */
export interface Capability {
  readonly there: boolean;
  /** E.g. the name of the GPU, or why it is not there. */
  readonly detail: string;
}

/** All that pages ask for. */
export interface Capabilities {
  readonly webnn: Capability;
  readonly webgpu: Capability;
  readonly simd: Capability;
  readonly relaxedSimd: Capability;
  readonly threads: Capability;
  readonly jspi: Capability;
}

// The parts of WebNN and WebGPU that are asked; TypeScript's DOM library has neither.
interface NavigatorWithEngines {
  readonly ml?: { createContext(options?: object): Promise<{ destroy?(): void }> };
  readonly gpu?: { requestAdapter(): Promise<GpuAdapter | null> };
}
interface GpuAdapter {
  readonly info?: { readonly vendor?: string; readonly architecture?: string; readonly description?: string };
}

let detected: Promise<Capabilities> | undefined;

/** Detects the capabilities, once. */
export function capabilities(): Promise<Capabilities> {
  detected ??= detect();
  return detected;
}

async function detect(): Promise<Capabilities> {
  const wasm = async (feature: Promise<boolean>) => ({ there: await feature, detail: '' });
  const [webnn, webgpu, hasSimd, hasRelaxedSimd, hasJspi] = await Promise.all([
    detectWebnn(),
    detectWebgpu(),
    wasm(simd()),
    wasm(relaxedSimd()),
    wasm(jspi()),
  ]);
  return { webnn, webgpu, simd: hasSimd, relaxedSimd: hasRelaxedSimd, threads: detectThreads(), jspi: hasJspi };
}

async function detectWebnn(): Promise<Capability> {
  const { ml } = navigator as NavigatorWithEngines;
  if (!isSecureContext) return missing('browsers offer it over https or on localhost only');
  if (!ml) return missing('navigator.ml does not exist');
  try {
    const context = await ml.createContext();
    context.destroy?.();
    return { there: true, detail: '' };
  } catch (error) {
    return missing(`createContext() says: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function detectWebgpu(): Promise<Capability> {
  const { gpu } = navigator as NavigatorWithEngines;
  if (!gpu) return missing('navigator.gpu does not exist');
  try {
    const adapter = await gpu.requestAdapter();
    if (!adapter) return missing('the browser finds no adapter');
    const { vendor, architecture, description } = adapter.info ?? {};
    return { there: true, detail: description || [vendor, architecture].filter(Boolean).join(' ') };
  } catch (error) {
    return missing(error instanceof Error ? error.message : String(error));
  }
}

function detectThreads(): Capability {
  const cores = `${navigator.hardwareConcurrency} logical processors`;
  return crossOriginIsolated ? { there: true, detail: cores } : missing('this page is not cross-origin isolated');
}

function missing(detail: string): Capability {
  return { there: false, detail };
}
