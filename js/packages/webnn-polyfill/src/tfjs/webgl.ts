/** WebGL: one context for the entire page, because browsers allow only a few. */

import { register, unregister } from './backends.js';
import type { Backend } from './device.js';
import * as tf from './tf.js';

/** Bytes of a texel of float32. */
const TEXEL_BYTES = 4;

let shared: Backend | null = null;

/** Opens WebGL, or returns the open backend. */
export function webglBackend(): Backend {
  shared ??= open();
  return shared;
}

function open(): Backend {
  const env = tf.env();
  if (!env.getBool('HAS_WEBGL')) throw new Error('WebGL has no context on this machine.');
  if (!env.getBool('WEBGL_RENDER_FLOAT32_ENABLED')) {
    throw new Error('WebGL does not compute in float32 on this machine.');
  }
  const backend = new tf.MathBackendWebGL();
  const name = register('webgl', backend);
  return {
    name,
    accelerated: true,
    maxTensorByteLength: env.getNumber('WEBGL_MAX_TEXTURE_SIZE') ** 2 * TEXEL_BYTES,
    lost: lostReason(backend).then((reason) => {
      shared = null;
      unregister(name);
      return reason;
    }),
    // The next context needs it again.
    close: () => {},
  };
}

function lostReason({ gpgpu }: tf.MathBackendWebGL): Promise<string> {
  return new Promise((resolve) => {
    gpgpu.gl.canvas.addEventListener('webglcontextlost', () => resolve('The WebGL context was lost.'), { once: true });
  });
}
