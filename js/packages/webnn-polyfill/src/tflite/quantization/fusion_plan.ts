/** Selects operators that become integer kernels, with their dequantizeLinear and quantizeLinear. */

import { operandsOf, type RecordedGraph, type RecordedOperator } from '../../engine.js';
import type { BuiltinName } from '../model.js';
import { FUSION_RULES, OperatorInfo, type QuantizedOperand } from './fusion_rules.js';
import { GraphIndex, outputOf } from './graph_index.js';
import { type Assignment, assignParameters } from './parameters.js';

/** The fusion of one operator. */
export interface Fusion {
  /** The integers behind its float operands. */
  readonly operands: ReadonlyMap<number, QuantizedOperand>;
  /** Its integer results; empty if these are not floats. */
  readonly results: readonly QuantizedOperand[];
  /** The activation between it and quantizeLinear. */
  readonly activation: BuiltinName | undefined;
}

export interface FusionPlan extends Assignment {
  readonly index: GraphIndex;
  readonly fusions: ReadonlyMap<RecordedOperator, Fusion>;
  /** Operators that are part of an earlier one. */
  readonly absorbed: ReadonlySet<RecordedOperator>;
}

export function planFusion(graph: RecordedGraph): FusionPlan {
  const index = new GraphIndex(graph);
  const assignment = assignParameters(index);
  const fusions = new Map<RecordedOperator, Fusion>();
  const absorbed = new Set<RecordedOperator>();
  for (const operator of graph.operators) {
    const found = findFusion(index, assignment, operator);
    if (found === undefined) continue;
    fusions.set(operator, found.fusion);
    for (const other of found.absorbed) absorbed.add(other);
  }
  return { ...assignment, index, fusions, absorbed };
}

interface Found {
  readonly fusion: Fusion;
  readonly absorbed: readonly RecordedOperator[];
}

function findFusion(index: GraphIndex, assignment: Assignment, operator: RecordedOperator): Found | undefined {
  const rule = FUSION_RULES[operator.op];
  if (rule === undefined) return undefined;
  const tails = rule.quantizesResults
    ? operator.outputs.map((output) => tailOf(index, assignment, output, rule.acceptsActivation === true))
    : [];
  if (tails.includes(undefined)) return undefined;
  const known = tails as Tail[];
  const info = new OperatorInfo(
    index,
    assignment,
    operator,
    known.map(({ result }) => result),
  );
  if (!rule.holds(info)) return undefined;
  return {
    fusion: { operands: quantizedOperands(info), results: info.results, activation: known[0]?.activation },
    absorbed: known.flatMap(({ operators }) => operators),
  };
}

function quantizedOperands(info: OperatorInfo): Map<number, QuantizedOperand> {
  const operands = new Map<number, QuantizedOperand>();
  for (const id of operandsOf(info.operator)) {
    const quantized = info.quantized(id);
    if (quantized !== undefined) operands.set(id, quantized);
  }
  return operands;
}

/** The operators after it: quantizeLinear, perhaps after an activation. */
interface Tail {
  readonly result: QuantizedOperand;
  readonly activation: BuiltinName | undefined;
  readonly operators: readonly RecordedOperator[];
}

function tailOf(
  index: GraphIndex,
  assignment: Assignment,
  output: number,
  acceptsActivation: boolean,
): Tail | undefined {
  const next = index.onlyConsumer(output);
  if (next === undefined) return undefined;
  if (next.op === 'quantizeLinear') return endOf(index, assignment, next);
  const activation = acceptsActivation ? activationOf(next) : undefined;
  const last = activation === undefined ? undefined : index.onlyConsumer(outputOf(next));
  const end = last?.op === 'quantizeLinear' ? endOf(index, assignment, last) : undefined;
  return end && { ...end, activation, operators: [next, ...end.operators] };
}

function endOf(index: GraphIndex, { parameters }: Assignment, quantize: RecordedOperator): Tail | undefined {
  const operand = outputOf(quantize);
  const own = parameters.get(operand);
  if (own === undefined) return undefined;
  const result = { operand, dataType: index.dataType(operand), parameters: own, isConstant: false };
  return { result, activation: undefined, operators: [quantize] };
}

/** The activation that kernels can apply to their results. */
function activationOf({ op, attributes }: RecordedOperator): BuiltinName | undefined {
  if (op === 'relu') return 'RELU';
  if (op !== 'clamp') return undefined;
  const [low, high] = [Number(attributes.minValue), Number(attributes.maxValue)];
  if (low === 0 && high === Number.POSITIVE_INFINITY) return 'RELU';
  if (low === 0 && high === 6) return 'RELU6';
  return low === -1 && high === 1 ? 'RELU_N1_TO_1' : undefined;
}
