/** The engine on TensorFlow.js's CPU backend, which runs in Node: all backends share the operator table. */

import { MathBackendCPU } from '@tensorflow/tfjs-backend-cpu';
import type { Engine } from 'webnn-polyfill';
import { register, unregister } from '../../src/tfjs/backends.js';
import { TfjsContext } from '../../src/tfjs/context.js';

export const cpuEngine: Engine = {
  name: 'cpu',
  open: async () => {
    const name = register('cpu', new MathBackendCPU());
    return new TfjsContext({
      name,
      accelerated: false,
      maxTensorByteLength: 2 ** 30,
      lost: new Promise(() => {}),
      close: () => unregister(name),
    });
  },
};
