/** Limits without the known faults of a browser's version. */

import { describe, expect, it } from 'vitest';
import { BROKEN_PROMISES } from '../src/generated/broken_promises.js';
import { keptPromises } from '../src/webnn/kept_promises.js';
import { openWebnn } from '../src/webnn/webnn_context.js';
import type { ML } from '../src/webnn_types.js';
import { FakeContext, FakeGraphBuilder } from './fakes/fake_webnn.js';

const CHROMIUM = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/147.0.7727.0';
const ROW = { dataTypes: ['float32', 'uint32'], rankRange: { min: 1, max: 8 } };
const LIMITS = { maxTensorByteLength: 9, gather: { input: ROW, indices: ROW }, relu: { input: ROW } };
const FAULT = { ops: 'gather topK', operand: 'indices', maxRank: 4 };

describe('keptPromises', () => {
  it('narrows ranks of the operands, and nothing else', () => {
    const indices = { ...ROW, rankRange: { min: 1, max: 4 } };
    expect(keptPromises(LIMITS, CHROMIUM, [FAULT])).toEqual({ ...LIMITS, gather: { input: ROW, indices } });
    expect(LIMITS.gather.indices).toBe(ROW);
  });

  it('never widens a promise', () => {
    expect(keptPromises(LIMITS, CHROMIUM, [{ ...FAULT, maxRank: 12 }])).toEqual(LIMITS);
  });

  it('expects a fault in each version until it is fixed', () => {
    const faults = [{ ...FAULT, fixed: 147 }];
    expect(keptPromises(LIMITS, CHROMIUM, faults)).toEqual(LIMITS);
    expect(keptPromises(LIMITS, 'Chrome/146.0.0.0', faults)).not.toEqual(LIMITS);
    expect(keptPromises(LIMITS, 'Chrome/150.0.0.0', [FAULT])).not.toEqual(LIMITS);
  });

  it('leaves the limits of other browsers', () => {
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
    for (const browser of [firefox, '']) expect(keptPromises(LIMITS, browser, BROKEN_PROMISES)).toEqual(LIMITS);
  });

  it("is what openWebnn() reports of a browser's own context, but not of a polyfill's", async () => {
    class Context extends FakeContext {
      override opSupportLimits() {
        return LIMITS;
      }
    }
    const limitsOf = async (polyfill?: ML['polyfill']) => {
      const ml: ML = { ...(polyfill && { polyfill }), createContext: async () => new Context() };
      const navigator = { ml, userAgent: CHROMIUM };
      return openWebnn({}, { navigator, MLGraphBuilder: FakeGraphBuilder });
    };
    expect(await limitsOf()).toMatchObject({ limits: { gather: { indices: { rankRange: { max: 4 } } } } });
    expect(await limitsOf({ engine: 'tflite', version: '1.2.3' })).toMatchObject({ limits: LIMITS });
  });
});
