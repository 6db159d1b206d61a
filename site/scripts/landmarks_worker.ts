/** Starts the worker of the landmarks demo. */

import { startEarly } from './common/early_worker.js';

startEarly(() => import(new URL('./landmarks_tasks_worker.mjs', import.meta.url).href));
