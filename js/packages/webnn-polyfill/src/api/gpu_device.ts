/** `GPUDevice`, an interface of WebGPU. */

import { type Converter, wrongType } from '../webidl/conversions.js';

/** The converter of the type. */
export const gpuDevice: Converter<GPUDevice> = (value, what) => {
  const isDevice = typeof GPUDevice !== 'undefined' && value instanceof GPUDevice;
  return isDevice ? value : wrongType(what, "of type 'GPUDevice'");
};
