/** Posts whether workers get WebGL 2, and the renderer behind it. */

import { type Capability, missing, processor } from './common/capability.js';

function detect(): Capability {
  if (typeof OffscreenCanvas === 'undefined') return missing('workers have no OffscreenCanvas');
  const webgl = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (!webgl) return missing('workers get no WebGL 2 context');
  const names = webgl.getExtension('WEBGL_debug_renderer_info');
  return processor(String(webgl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : webgl.RENDERER)));
}

// The page ends the worker, and with it the context: browsers limit their number.
self.postMessage(detect());
