/** pad. */

import type { Call } from '../call.js';
import { cast, gatherAxis, padded, range, widened } from '../calls.js';
import { dimension, type Tensor } from '../tensor.js';

type Mode = 'constant' | 'edge' | 'reflection';

export function lowerPad(call: Call): Tensor {
  const before = call.attribute<readonly number[]>('beginningPadding');
  const after = call.attribute<readonly number[]>('endingPadding');
  const mode = call.attribute<Mode>('mode');
  if (mode === 'constant') return withConstant(call, before, after);
  return before.reduce((input, count, axis) => {
    const size = dimension(input.shape, axis);
    if (count === 0 && after[axis] === 0) return input;
    const positions = range(-count, count + size + dimension(after, axis));
    return gatherAxis(
      call.net,
      input,
      axis,
      positions.map((position) => within(position, size, mode)),
    );
  }, call.input());
}

/** Index of the input's element for a position in the padding. */
function within(position: number, size: number, mode: Mode): number {
  if (mode === 'edge') return Math.min(Math.max(position, 0), size - 1);
  const last = size - 1;
  return last - Math.abs(last - Math.abs(position));
}

function withConstant(call: Call, before: readonly number[], after: readonly number[]): Tensor {
  const { net } = call;
  const input = widened(net, call.input());
  const value = call.attribute<number | bigint>('value');
  const isReal = input.type === 'FLOAT32' || input.quantization !== undefined;
  const element = isReal ? Number(value) : BigInt(typeof value === 'bigint' ? value : Math.trunc(value));
  const isZero = typeof element === 'bigint' && element === 0n;
  return cast(net, padded(net, input, before, after, isZero ? 0 : element), call.input().type);
}
