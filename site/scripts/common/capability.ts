/** Whether the browser has a feature, with details. */
export interface Capability {
  readonly there: boolean;
  /** The name of the GPU, for example, or why the feature is missing. */
  readonly detail: string;
  /** Whether the GPU is emulated in software. */
  readonly isSoftware?: boolean;
}

// Software renderers of Chromium, Mesa and Windows.
const SOFTWARE = /swiftshader|llvmpipe|softpipe|basic render/i;

/** A feature that the browser lacks, and why. */
export function missing(detail: string): Capability {
  return { there: false, detail };
}

/** The renderer behind WebGPU or WebGL. Not every browser marks software renderers as such. */
export function processor(name: string, isFallback = false): Capability {
  const isSoftware = isFallback || SOFTWARE.test(name);
  return { there: true, detail: isSoftware ? `${name}, a software renderer` : name, isSoftware };
}
