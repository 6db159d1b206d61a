/** Resampling of images. */

import { checkAxes, checkLength, checkPositive, ofRank, type RuleRows } from './rule.js';

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-resample2d-method */
export const RESAMPLING = {
  resample2d: {
    limits: { input: ofRank(4), output: ofRank(4) },
    infer: ({ input }, attributes) => {
      attributes.scales ??= [1, 1];
      attributes.axes ??= [2, 3];
      const { axes, scales, sizes } = attributes;
      checkLength('scales', scales, 2);
      checkPositive('scales', scales);
      checkLength('axes', axes, 2);
      checkAxes(axes, input);
      if (sizes) checkLength('sizes', sizes, 2);
      const shape = input.shape.map((size, axis) => {
        const index = axes.indexOf(axis);
        return index < 0 ? size : (sizes?.[index] ?? Math.floor(size * (scales[index] as number)));
      });
      // Engines get sizes instead of scales.
      attributes.sizes = axes.map((axis) => shape[axis] as number);
      return { dataType: input.dataType, shape };
    },
  },
} satisfies RuleRows;
