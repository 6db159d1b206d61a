/** What options of this package are, for tasks that pass them on. */

export { HEAD } from './decode_detections.js';
export { SUPPRESSION } from './non_max_suppression.js';
export { TOP_K_KINDS } from './top_k.js';
