/** The script of the engine's worker: the package's polyfill_worker.mjs. It exports nothing. */

import * as comlink from 'comlink';
import { WorkerHost } from './worker_host.js';

comlink.expose(new WorkerHost());
