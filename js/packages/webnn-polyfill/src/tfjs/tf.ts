/**
 * TensorFlow.js with both GPU backends. It keeps its engine and kernels in globals, which all its copies
 * in a page share. The bundle renames them, so that the page's own copy is unaffected.
 */

export { MathBackendWebGL } from '@tensorflow/tfjs-backend-webgl';
export { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';
export * from '@tensorflow/tfjs-core';
