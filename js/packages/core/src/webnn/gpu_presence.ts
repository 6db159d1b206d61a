/** Which ways to a real GPU there are here: software that does its work is slower than XNNPACK. */

/** What is used of WebGPU. */
interface GpuAdapter {
  readonly info?: { readonly isFallbackAdapter?: boolean };
  /** Where browsers had it first. */
  readonly isFallbackAdapter?: boolean;
}

/** The engines of the polyfill that a GPU would run, the better one first. */
export async function gpuEngines(): Promise<('webgpu' | 'webgl')[]> {
  const engines = [(await hasWebgpu()) && 'webgpu', hasWebgl() && 'webgl'] as const;
  return engines.filter((engine) => engine !== false);
}

async function hasWebgpu(): Promise<boolean> {
  const { gpu } = navigatorHere() as { gpu?: { requestAdapter(): Promise<GpuAdapter | null> } };
  const adapter = (await gpu?.requestAdapter().catch(() => null)) ?? null;
  return adapter !== null && !(adapter.info?.isFallbackAdapter ?? adapter.isFallbackAdapter ?? false);
}

function hasWebgl(): boolean {
  if (typeof OffscreenCanvas === 'undefined') return false;
  const webgl = new OffscreenCanvas(1, 1).getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  webgl?.getExtension('WEBGL_lose_context')?.loseContext(); // browsers allow few at a time
  return webgl !== null;
}

function navigatorHere(): object {
  return (globalThis as { navigator?: object }).navigator ?? {};
}
