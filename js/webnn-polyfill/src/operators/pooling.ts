/** Pooling and resampling of images. */

import type { MLOperandDataType } from '../generated/webnn_types.js';
import { alongAxes, imageShape, resolveMoves, sizesByLayout, windowPlaces } from './convolution.js';
import {
  ANY,
  check,
  checkAxes,
  checkLength,
  checkPositive,
  FLOATS,
  ofRank,
  type Rule,
  type Rules,
  sameShape,
} from './rule.js';

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-pool2d */
function pool2d(dataTypes: readonly MLOperandDataType[]): Rule<'averagePool2d'> {
  return {
    limits: { input: ofRank(4, dataTypes), output: ofRank(4, dataTypes) },
    infer: ({ input }, attributes) => {
      const { layout, outputShapeRounding, outputSizes } = attributes;
      const { n, c, h, w } = sizesByLayout<'n' | 'c' | 'h' | 'w'>(input.shape, layout);
      attributes.windowDimensions ??= [h, w];
      checkLength('windowDimensions', attributes.windowDimensions, 2);
      checkPositive('windowDimensions', attributes.windowDimensions);
      resolveMoves(attributes);
      const window = attributes.windowDimensions as readonly [number, number];
      const places = alongAxes(attributes, [h, w], window, windowPlaces);
      const [down, up] = [places.map(Math.floor), places.map(Math.ceil)];
      if (outputSizes) {
        checkLength('outputSizes', outputSizes, 2);
        check(
          sameShape(outputSizes, down) || sameShape(outputSizes, up),
          `The output sizes [${outputSizes}] should be [${down}] or [${up}].`,
        );
      }
      const [height, width] = (outputSizes ?? (outputShapeRounding === 'ceil' ? up : down)) as [number, number];
      // What was decided is told, so that nobody has to calculate it again.
      attributes.outputSizes = [height, width];
      return { dataType: input.dataType, shape: imageShape({ n, c, h: height, w: width }, layout) };
    },
  };
}

/** Pooling and resample2d. */
export const IMAGES: Rules<'averagePool2d' | 'l2Pool2d' | 'maxPool2d' | 'resample2d'> = {
  averagePool2d: pool2d(FLOATS),
  l2Pool2d: pool2d(FLOATS),
  maxPool2d: pool2d(ANY),
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
        const place = axes.indexOf(axis);
        return place < 0 ? size : (sizes?.[place] ?? Math.floor(size * (scales[place] as number)));
      });
      // Engines need not know of scales.
      attributes.sizes = axes.map((axis) => shape[axis] as number);
      return { dataType: input.dataType, shape };
    },
  },
};
