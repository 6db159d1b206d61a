/** cast, between the types that store two data types. */

import type { Call } from '../call.js';
import { add, binary, bitcast, cast, compare, select } from '../calls.js';
import type { Net } from '../net.js';
import { type HandledDataType, HELD_TYPES, type Tensor } from '../tensor.js';

const TWO_TO_63 = 2 ** 63;
const LOWEST_INT64 = -(2n ** 63n);

function lowerCast(call: Call): Tensor {
  const { net } = call;
  const from = call.dataType();
  const to = call.outputDataType();
  const wide = from === 'uint32' ? cast(net, bitcast(net, call.input(), 'UINT32'), 'INT64') : call.input();
  if (to === 'float16' && from !== 'float16') return rounded(net, toFloat(net, wide, from));
  if (to === 'float16' || to === 'float32') return toFloat(net, wide, from);
  if (wide.type === 'FLOAT32') return fromFloat(net, wide, to);
  return cast(net, wide, HELD_TYPES[to]);
}

/** Numbers rounded to half precision, in float32. */
export function rounded(net: Net, input: Tensor): Tensor {
  return cast(net, cast(net, input, 'FLOAT16'), 'FLOAT32');
}

function toFloat(net: Net, input: Tensor, from: HandledDataType): Tensor {
  const float = cast(net, input, 'FLOAT32');
  if (from !== 'uint64') return float;
  // Stored as a signed integer, a number from 2^63 on appears as less by 2^64.
  return select(net, compare(net, 'LESS', input, 0), add(net, float, 2 * TWO_TO_63), float);
}

function fromFloat(net: Net, input: Tensor, to: HandledDataType): Tensor {
  if (to === 'uint32') return cast(net, cast(net, input, 'INT64'), 'INT32');
  if (to !== 'uint64') return cast(net, input, HELD_TYPES[to]);
  const isLarge = compare(net, 'GREATER_EQUAL', input, TWO_TO_63);
  const low = cast(net, select(net, isLarge, add(net, input, -TWO_TO_63), input), 'INT64');
  const high = binary(net, 'ADD', low, net.scalar('INT64', LOWEST_INT64));
  return select(net, isLarge, high, low);
}

/** Always creates a new tensor, even if there is nothing to convert. */
export function lowerCastToNew(call: Call): Tensor {
  const result = lowerCast(call);
  if (result !== call.input()) return result;
  const { type, shape } = result;
  return call.net.node('RESHAPE', [result, call.net.list(shape)], { type, shape });
}
