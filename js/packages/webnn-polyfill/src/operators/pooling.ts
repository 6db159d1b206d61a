/** Pooling. */

import { sameShape } from '../data_types.js';
import type { MLOperandDataType } from '../generated/webnn_types.js';
import { alongAxes, imageShape, resolveMoves, sizesByLayout, windowPositions } from './convolution.js';
import { ANY, check, checkLength, checkPositive, FLOATS, ofRank, type Rule, type RuleRows } from './rule.js';

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
      const positions = alongAxes(attributes, [h, w], window, windowPositions);
      const [down, up] = [positions.map(Math.floor), positions.map(Math.ceil)];
      if (outputSizes) {
        checkLength('outputSizes', outputSizes, 2);
        check(
          sameShape(outputSizes, down) || sameShape(outputSizes, up),
          `The output sizes [${outputSizes}] should be [${down}] or [${up}].`,
        );
      }
      const [height, width] = (outputSizes ?? (outputShapeRounding === 'ceil' ? up : down)) as [number, number];
      // Resolved here, so that engines need not calculate it again.
      attributes.outputSizes = [height, width];
      return { dataType: input.dataType, shape: imageShape({ n, c, h: height, w: width }, layout) };
    },
  };
}

export const POOLING = {
  averagePool2d: pool2d(FLOATS),
  l2Pool2d: pool2d(FLOATS),
  maxPool2d: pool2d(ANY),
} satisfies RuleRows;
