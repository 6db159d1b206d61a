/** Starts the worker of the home page and the image demos. */

import { startEarly } from './common/early_worker.js';

startEarly(() => import(new URL('./vision_tasks_worker.mjs', import.meta.url).href));
