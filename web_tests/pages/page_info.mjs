// The features of a page, a worker or Node that executions of models need, and the reasons of missing ones.

const here = globalThis.navigator ?? {};

/** Why there is no WebNN here; empty if there is. A browser can have `navigator.ml` and still create no context. */
export async function whyNoWebnn() {
  if (globalThis.isSecureContext === false) return 'the page is not a secure context, and WebNN is only there';
  if (!here.ml) return 'this browser has no WebNN: navigator.ml is missing';
  if (typeof MLGraphBuilder === 'undefined') return 'this browser has no WebNN: MLGraphBuilder is missing';
  try {
    (await here.ml.createContext()).destroy();
  } catch (error) {
    return `this browser creates no WebNN context: ${error.name}: ${error.message}`;
  }
  return '';
}

async function webgpu() {
  if (globalThis.isSecureContext === false) return { why: 'the page is not a secure context, and WebGPU is only there' };
  if (!here.gpu) return { why: 'this browser has no WebGPU: navigator.gpu is missing' };
  try {
    const adapter = await here.gpu.requestAdapter();
    if (!adapter) return { why: 'this browser has no adapter for WebGPU' };
    const { vendor, architecture, device, description } = adapter.info ?? {};
    return { name: [vendor, architecture, device, description].filter(Boolean).join(' ') };
  } catch (error) {
    return { why: `this browser has no adapter for WebGPU: ${error.name}: ${error.message}` };
  }
}

function webgl() {
  const canvases = [globalThis.OffscreenCanvas && new OffscreenCanvas(1, 1), globalThis.document?.createElement('canvas')];
  const usable = canvases.filter(Boolean);
  if (usable.length === 0) return { why: 'this thread has no canvas for WebGL: OffscreenCanvas is missing' };
  // WebKitGTK creates a context only for the page's own canvas.
  const gl = usable.map((canvas) => canvas.getContext('webgl2')).find(Boolean);
  if (!gl) return { why: 'this browser creates no context of WebGL 2' };
  const secret = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(gl.getParameter(secret ? secret.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext(); // browsers allow only a few
  return { name };
}

function whyNoThreads() {
  if (globalThis.crossOriginIsolated === false) return 'the page is not cross-origin isolated';
  return 'this browser shares no memory between threads';
}

/**
 * All of it.
 *
 * @param features - What the package's getWasmFeatures() found.
 * @returns { userAgent, cores, isolated, lacks: { need: reason }, gpu: { need: name } }; `lacks` has only what is missing.
 */
export async function pageInfo({ relaxedSimd, threads }) {
  const gpus = { webgpu: await webgpu(), webgl: webgl() };
  const lacks = {
    webnn: await whyNoWebnn(),
    webgpu: gpus.webgpu.why,
    webgl: gpus.webgl.why,
    relaxedSimd: relaxedSimd ? '' : 'the WebAssembly of this browser has no relaxed SIMD',
    threads: threads ? '' : whyNoThreads(),
  };
  const named = Object.entries(gpus).filter(([, { why }]) => !why);
  return {
    userAgent: here.userAgent ?? '',
    cores: here.hardwareConcurrency ?? null,
    isolated: globalThis.crossOriginIsolated !== false,
    lacks: Object.fromEntries(Object.entries(lacks).filter(([, why]) => why)),
    gpu: Object.fromEntries(named.map(([need, { name }]) => [need, name])),
  };
}
