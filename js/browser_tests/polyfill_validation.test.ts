/**
 * The polyfill's rules compared with a browser's own WebNN: the same calls, shapes and errors, on an engine that computes
 * nothing, with the limits of the browser's context. The calls are those of packages/webnn-polyfill/tests/cases.
 */

import { install } from 'tflite-webnn/polyfill';
import { expect, it } from 'vitest';
import { compareCalls, compareOperators } from '../packages/webnn-polyfill/tests/browser/comparison.js';
import { problems } from '../packages/webnn-polyfill/tests/browser/idl_of_page.js';

// Deviations of Chromium 147 from the specification, or from the W3C's tests.
const RANK = "it requires as many axes as the input has; the W3C's tests have fewer, which are broadcast";
const AXIS = "it requires an axis; the W3C's tests leave it out for matrices";
const DIFFERENCES: Record<string, string> = {
  'build: an empty name': 'it has another error, InvalidStateError',
  'clamp: a bigint bound of bytes': "it accepts bigints for all integers; the W3C's tests do not",
  'clamp: bigint bounds of small integers': "it accepts bigints for all integers; the W3C's tests do not",
  'constant: a constant tensor': 'it has no constant tensors here: NotSupportedError',
  'conv2d: groups that do not divide the output': 'it accepts them; Chromium 150 does not, and there is no result',
  'createConstantTensor: other ones': 'it has no constant tensors here: NotSupportedError',
  'createConstantTensor: values': 'it has no constant tensors here: NotSupportedError',
  'dequantizeLinear: a scalar for all': RANK,
  'dequantizeLinear: fewer axes': RANK,
  'pad: a bigint value of integers': 'it accepts no bigint where the IDL has (bigint or unrestricted double)',
  'quantizeLinear: fewer axes': RANK,
  'quantizeLinear: four bits': 'it has no int4 here',
  'softmax: no axis': AXIS,
  'softmax: no axis, and a label': AXIS,
  'prelu: an input that is broadcast': 'it broadcasts the slope only, not both ways',
};

it.each([
  ['the operators', compareOperators],
  ['the other calls', compareCalls],
])('outcomes of %s are those of the browser', async (_, compare) => {
  const rows = await compare();
  expect(rows.length).toBeGreaterThan(50);
  const isUnexpected = ({ call, native, polyfill }: (typeof rows)[number]) =>
    native !== polyfill && !(call in DIFFERENCES);
  expect(rows.filter(isUnexpected)).toEqual([]);
});

it("the interfaces are those of the IDL, the browser's but for two and the polyfill's", async () => {
  // Chromium 147 follows an older IDL: one method returns a promise, the other is missing.
  const ofAnotherIdl = /^(new )?MLContext\.prototype\.(exportToGPU|accelerated)/;
  expect((await problems()).filter((problem) => !ofAnotherIdl.test(problem))).toEqual([]);
  await install({ force: true });
  expect(navigator.ml).toHaveProperty('polyfill.engine', 'tflite');
  expect(await problems()).toEqual([]);
});
