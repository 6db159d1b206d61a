/**
 * TensorFlow.js, with both of its backends for a GPU. It keeps its engine and its kernels in globals, which all copies of
 * it in a page share; the script is bundled with other names for them, so that the page's own copy is left alone.
 */

export { MathBackendWebGL } from '@tensorflow/tfjs-backend-webgl';
export { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';
export * from '@tensorflow/tfjs-core';
