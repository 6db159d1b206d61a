/** The classic script. It sets its global by name: in an AudioWorklet every script is a module, whose variables are its own. */

import * as exports from './index.js';

Object.assign(globalThis, { tfliteCpu: exports });
