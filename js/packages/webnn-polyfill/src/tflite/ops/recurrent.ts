/** gru and lstm, and their cells. */

import type { OpEntry } from '../call.js';
import { GRU } from './gru.js';
import { LSTM } from './lstm.js';

export const RECURRENT: readonly OpEntry[] = [...GRU, ...LSTM];
