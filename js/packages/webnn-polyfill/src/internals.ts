/** What js/apps/pyodide takes of this package besides its exports. */

export type { Engine } from './engine.js';
export { installEngine } from './install_engine.js';
export { InstancePool } from './tflite/engine/instance_pool.js';
export { LocalContext } from './tflite/engine/local_context.js';
