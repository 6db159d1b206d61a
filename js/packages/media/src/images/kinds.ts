/** What options of this package are, for tasks that pass them on. */

export { IMAGE_KINDS } from './image_to_tensor.js';
