/** The script of the worker that TFLiteWorker starts: the package's model_worker.mjs. It exports nothing. */

import * as comlink from 'comlink';
import { nodeModule } from './support/platform.js';
import { makeModelServer } from './worker/model_server.js';
import { transferErrors } from './worker/worker_connection.js';

/** The line to the thread that has started this worker: in Node a port, else the worker's own global object. */
const starter = nodeModule<{ parentPort: comlink.Endpoint | null }>('node:worker_threads')?.parentPort;

transferErrors();
comlink.expose(makeModelServer(), starter ?? undefined);
