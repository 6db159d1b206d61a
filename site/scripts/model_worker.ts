/** Starts the package's worker of models. */

import { startEarly } from './common/early_worker.js';

startEarly(() => import('tflite-webnn/model_worker.mjs'));
