/** Comparisons, logical operators and where. */

import { BOOLEANS, entry, NARROW, pair, toBool, toUint8 } from '../op_entry.js';
import * as tf from '../tf.js';

const COMPARED = { dataTypes: { a: NARROW, b: NARROW, output: BOOLEANS } };
const LOGICAL = { dataTypes: BOOLEANS };

/** An entry of one operand, which the IDL calls `a`. */
function predicate(op: 'isNaN' | 'isInfinite' | 'logicalNot', compute: (a: tf.Tensor) => tf.Tensor) {
  const dataTypes = op === 'logicalNot' ? BOOLEANS : { output: BOOLEANS };
  return entry(
    op,
    (call) => {
      const a = call.operand('a');
      return (frame) => toUint8(compute(a(frame)));
    },
    { dataTypes },
  );
}

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-logical */
export const LOGIC = [
  pair('equal', (a, b) => toUint8(tf.equal(a, b)), COMPARED),
  pair('notEqual', (a, b) => toUint8(tf.notEqual(a, b)), COMPARED),
  pair('greater', (a, b) => toUint8(tf.greater(a, b)), COMPARED),
  pair('greaterOrEqual', (a, b) => toUint8(tf.greaterEqual(a, b)), COMPARED),
  pair('lesser', (a, b) => toUint8(tf.less(a, b)), COMPARED),
  pair('lesserOrEqual', (a, b) => toUint8(tf.lessEqual(a, b)), COMPARED),
  pair('logicalAnd', (a, b) => toUint8(tf.logicalAnd(toBool(a), toBool(b))), LOGICAL),
  pair('logicalOr', (a, b) => toUint8(tf.logicalOr(toBool(a), toBool(b))), LOGICAL),
  pair('logicalXor', (a, b) => toUint8(tf.notEqual(toUint8(toBool(a)), toUint8(toBool(b)))), LOGICAL),
  predicate('logicalNot', (a) => tf.logicalNot(toBool(a))),
  predicate('isNaN', (a) => tf.isNaN(a)),
  predicate('isInfinite', (a) => tf.isInf(a)),
  entry(
    'where',
    (call) => {
      // The kernels need at least one dimension.
      const shape = [...call.output().shape];
      const [condition, ...values] = [call.operand('condition'), call.operand('trueValue'), call.operand('falseValue')];
      return (frame) => {
        const [a, b] = values.map((value) => tf.broadcastTo(value(frame), shape.length ? shape : [1]));
        const chosen = tf.broadcastTo(toBool(condition(frame)), shape.length ? shape : [1]);
        return tf.reshape(tf.where(chosen, a as tf.Tensor, b as tf.Tensor), shape);
      };
    },
    { dataTypes: { condition: BOOLEANS, trueValue: NARROW, falseValue: NARROW, output: NARROW } },
  ),
];
