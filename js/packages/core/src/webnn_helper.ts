/** The script of the helper worker of blocking mode: the package's webnn_helper.mjs. It exports nothing. */

import { serveHelper } from './blocking/helper.js';

serveHelper();
