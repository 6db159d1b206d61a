/** Comparisons, logical operators and `where`. Booleans are uint8 in WebNN and BOOL in TensorFlow Lite. */

import type { MLOperandDataType } from '../../generated/webnn_types.js';
import { elementwise } from '../broadcast.js';
import { cast, compare, select, unary } from '../calls.js';
import type { BuiltinName } from '../model.js';
import type { Net } from '../net.js';
import { ALL, type Call, FLOATS, limits, type OpEntry, pair } from '../op_entry.js';
import type { Tensor } from '../tensor.js';
import { ordered } from './elementwise.js';

const BOOLEAN: readonly MLOperandDataType[] = ['uint8'];

/** Bytes as BOOL: not 0. A byte tensor created from BOOL converts back without a node. */
function truthOf(net: Net, input: Tensor): Tensor {
  const producer = net.producer(input);
  const source = producer?.inputs[0];
  return producer?.op === 'CAST' && source?.type === 'BOOL' ? source : cast(net, input, 'BOOL');
}

function lowerComparison(builtin: BuiltinName) {
  return (call: Call): Tensor => {
    const { net } = call;
    return cast(net, compare(net, builtin, ordered(call, 'a'), ordered(call, 'b')), 'UINT8');
  };
}

function lowerLogical(builtin: BuiltinName) {
  return (call: Call): Tensor => {
    const { net } = call;
    const operands = [truthOf(net, call.input('a')), truthOf(net, call.input('b'))];
    return cast(net, elementwise(net, builtin, operands, 'BOOL'), 'UINT8');
  };
}

function comparison(op: string, builtin: BuiltinName): OpEntry {
  return pair(op, ALL, builtin, lowerComparison(builtin), BOOLEAN);
}

/** An entry from one operand `a` to BOOL. */
function test(op: string, dataTypes: readonly MLOperandDataType[], builtins: string, lower: OpEntry['lower']): OpEntry {
  return { op, limits: { a: limits(dataTypes), output: limits(BOOLEAN) }, builtins, lower };
}

const WHERE: OpEntry = {
  op: 'where',
  limits: { condition: limits(BOOLEAN), trueValue: limits(ALL), falseValue: limits(ALL), output: limits(ALL) },
  builtins: 'SELECT_V2',
  lower: (call) =>
    select(call.net, truthOf(call.net, call.input('condition')), call.input('trueValue'), call.input('falseValue')),
};

export const LOGIC: readonly OpEntry[] = [
  comparison('equal', 'EQUAL'),
  comparison('notEqual', 'NOT_EQUAL'),
  comparison('greater', 'GREATER'),
  comparison('greaterOrEqual', 'GREATER_EQUAL'),
  comparison('lesser', 'LESS'),
  comparison('lesserOrEqual', 'LESS_EQUAL'),
  test('logicalNot', BOOLEAN, 'LOGICAL_NOT', (call) =>
    cast(call.net, unary(call.net, 'LOGICAL_NOT', truthOf(call.net, call.input('a'))), 'UINT8'),
  ),
  pair('logicalAnd', BOOLEAN, 'LOGICAL_AND', lowerLogical('LOGICAL_AND')),
  pair('logicalOr', BOOLEAN, 'LOGICAL_OR', lowerLogical('LOGICAL_OR')),
  pair('logicalXor', BOOLEAN, 'NOT_EQUAL', lowerLogical('NOT_EQUAL')),
  test('isNaN', FLOATS, 'NOT_EQUAL', (call) =>
    cast(call.net, compare(call.net, 'NOT_EQUAL', call.input('a'), call.input('a')), 'UINT8'),
  ),
  test('isInfinite', FLOATS, 'ABS, EQUAL', (call) => {
    const magnitude = unary(call.net, 'ABS', call.input('a'));
    return cast(call.net, compare(call.net, 'EQUAL', magnitude, Number.POSITIVE_INFINITY), 'UINT8');
  }),
  WHERE,
];
