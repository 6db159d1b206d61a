/** The script of the worker that TFLiteWorker starts: the package's worker.mjs. It exports nothing. */

import * as comlink from 'comlink';
import { transferErrors } from './worker/error_transfer.js';
import { makeHost } from './worker/host.js';

transferErrors();
comlink.expose(makeHost());
