/** Browser features that affect speed, detected once per page. */

import { jspi, relaxedSimd, simd } from 'wasm-feature-detect';

/** Whether the browser has a feature, with details. */
export interface Capability {
  readonly there: boolean;
  /** The name of the GPU, for example, or why the feature is missing. */
  readonly detail: string;
  /** Whether the GPU is emulated in software. */
  readonly isSoftware?: boolean;
}

/** All detected features. */
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

// Software renderers of Chromium, Mesa and Windows.
const SOFTWARE = /swiftshader|llvmpipe|softpipe|basic render/i;

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
  const webgl = detectWebgl();
  return { webnn, webgpu, webgl, simd: hasSimd, relaxedSimd: hasRelaxedSimd, threads: detectThreads(), jspi: hasJspi };
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

function detectWebgl(): Capability {
  if (typeof OffscreenCanvas === 'undefined') return missing('workers have no OffscreenCanvas');
  const webgl = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (!webgl) return missing('workers get no WebGL 2 context');
  const names = webgl.getExtension('WEBGL_debug_renderer_info');
  const name = String(webgl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : webgl.RENDERER));
  webgl.getExtension('WEBGL_lose_context')?.loseContext(); // browsers limit the number of contexts
  return processor(name);
}

/** The renderer behind WebGPU or WebGL. Not every browser marks software renderers as such. */
function processor(name: string, isFallback = false): Capability {
  const isSoftware = isFallback || SOFTWARE.test(name);
  return { there: true, detail: isSoftware ? `${name}, a software renderer` : name, isSoftware };
}

function detectThreads(): Capability {
  const cores = `${navigator.hardwareConcurrency} logical processors`;
  return crossOriginIsolated ? { there: true, detail: cores } : missing('this page is not cross-origin isolated');
}

function missing(detail: string): Capability {
  return { there: false, detail };
}
