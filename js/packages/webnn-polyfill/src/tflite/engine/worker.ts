/** The script of the engine's worker: the package's polyfill_worker.mjs. It exports nothing. */

import * as comlink from 'comlink';
import { TimelineServer } from './timeline_server.js';

comlink.expose(new TimelineServer());
