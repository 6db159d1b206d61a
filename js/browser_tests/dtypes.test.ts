/** Every element type passes unchanged, on WebNN if it has the type, else on the CPU. */

import { expect, it } from 'vitest';
import { through } from '../../web_tests/pages/dtypes.mjs';
import { addressOf, WEBNN } from './fixtures.js';

const ARRAYS = {
  float32: 'Float32Array',
  float16: 'Float16Array',
  int8: 'Int8Array',
  uint8: 'Uint8Array',
  int16: 'Int16Array',
  int32: 'Int32Array',
  uint32: 'Uint32Array',
  int64: 'BigInt64Array',
  bool: 'Uint8Array',
  complex64: 'Float32Array',
  string: 'Uint8Array',
};
const NOT_ON_WEBNN = ['int16', 'complex64', 'string'];

const cases = Object.entries(ARRAYS).flatMap(([dtype, array]) =>
  [true, false].map((onWebnn) => ({ dtype, array, onWebnn })),
);

it.each(cases)('$dtype (WebNN: $onWebnn)', async ({ dtype, array, onWebnn }) => {
  const found = await through(addressOf(`flattened_${dtype}`), dtype, { ...WEBNN, enableWebnnDelegate: onWebnn });
  const isOnCpu = NOT_ON_WEBNN.includes(dtype);
  expect(found.mode, found.reason ?? undefined).toBe(onWebnn && !isOnCpu ? 'direct' : 'cpu');
  if (onWebnn && isOnCpu) expect(found.reason).toContain(`${dtype.toUpperCase()}, which WebNN does not have`);
  expect(found).toMatchObject({
    declared: [dtype, dtype],
    returned: [dtype, [6]],
    kind: array,
    areSame: [true, true, true],
    isReused: true,
    // What does not fit is an error, and never converted.
    wrongType: { code: 'INPUT_DTYPE', message: expect.stringContaining(`Input x is ${dtype}`) },
    wrongShape: { code: 'INPUT_SHAPE', message: expect.stringContaining(`Input x is ${dtype}[2, 3] (6 elements)`) },
    wrongCount: { code: 'INPUT_SHAPE', message: expect.stringContaining(`Input x is ${dtype}[2, 3] (6 elements)`) },
    wrongOutput: { code: 'OUTPUT_BUFFER', message: expect.stringContaining(`Output y is ${dtype}`) },
  });
});
