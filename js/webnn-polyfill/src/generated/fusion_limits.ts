/** Numbers of the fusion rules. Generated from the delegate's fusion_limits.h by tools/generate.mjs; not to be edited. */

/** Largest abs(input scale * filter scale - bias scale) / output scale. */
export const MAX_BIAS_ERROR = 0.02;
/** Smallest input scale / output scale of add and sub. */
export const MIN_ADD_RATIO = 1.0 / 1024;
/** Smallest product of the input scales / output scale of mul. */
export const MIN_MUL_RATIO = 1.0 / 65536;
/** The ratios of add, sub and mul stay below this. */
export const RATIO_END = 256;
/** Largest difference between the scales of a pool's input and output. */
export const MAX_POOL_SCALE_ERROR = 1e-6;
/** Scale of results from 0 to 1, and its largest relative error where softmax takes one. */
export const UNIT_SCALE = 1.0 / 256;
export const MAX_UNIT_SCALE_ERROR = 0.001;
/** Input scale / output scale of leakyRelu, which is also the smallest abs(alpha * ratio); and alpha * ratio. */
export const MIN_LEAKY_RATIO = 1.0 / 256;
export const MAX_LEAKY_RATIO = 128;
export const MIN_LEAKY_SLOPE = -127.99609375;
