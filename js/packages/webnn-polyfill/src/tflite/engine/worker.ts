/** The script of the engine's worker: the package's polyfill_worker.mjs. It exports nothing. */

import * as comlink from 'comlink';
import { openTimeline } from './timeline_server.js';

comlink.expose(openTimeline);
