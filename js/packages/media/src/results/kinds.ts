/** What options of this package are, for tasks that pass them on, and functions that tasks share. */

export { HEAD } from './decode_detections.js';
export { SUPPRESSION } from './non_max_suppression.js';
export { probabilitiesOf } from './result.js';
export { TOP_K_KINDS } from './top_k.js';
