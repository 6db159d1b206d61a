/** Unpacks files that are not stored as they are; metadata's mostly are. */

import { inflateSync } from 'fflate';
import type { Inflate } from './archive.js';

/** Declared here: the package's types know no fflate, which is bundled. */
export const inflate: Inflate = inflateSync;
