/** Starts the worker of home and the demos of images. */

import { startEarly } from './common/early_worker.js';

startEarly(() => import(new URL('./vision_tasks_worker.mjs', import.meta.url).href));
