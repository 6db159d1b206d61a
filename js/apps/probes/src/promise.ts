/** What opSupportLimits() promises, compared with what the specification requires. */

import type { MLOpSupportLimits, MLTensorLimits } from 'webnn-polyfill';
import type { CaseOperand, ProbeCase } from './probe_case.js';
import { opOf } from './probe_case.js';
import type { Shortfall } from './report.js';
import { REQUIREMENTS, type Requirement } from './requirements.js';

/** Limits by operand. */
export type OperatorLimits = Readonly<Record<string, MLTensorLimits>>;

/** The limits of each operator: the rows that have rows of operands. */
export function operatorLimits(limits: MLOpSupportLimits): ReadonlyMap<string, OperatorLimits> {
  const rows = Object.entries(limits as Record<string, unknown>).filter(([, row]) => isOperator(row));
  return new Map(rows.sort(([one], [other]) => (one < other ? -1 : 1)) as [string, OperatorLimits][]);
}

function isOperator(row: unknown): boolean {
  if (typeof row !== 'object' || row === null || 'dataTypes' in row) return false;
  return Object.values(row).some((operand) => typeof operand === 'object' && operand !== null);
}

/** The required types and ranks that the limits do not promise. */
export function shortfallsOf(limits: ReadonlyMap<string, OperatorLimits>): Shortfall[] {
  return Object.entries(REQUIREMENTS).flatMap(([op, operands]) => {
    const required = Object.entries(operands).filter(([, { dataTypes }]) => dataTypes.length > 0);
    const promised = limits.get(op);
    if (!promised) return required.length === 0 ? [] : [{ op, operand: '', missing: 'the operator' }];
    return required.flatMap(([operand, requirement]) =>
      missingOf(limitsOf(promised, operand), requirement).map((missing) => ({ op, operand, missing })),
    );
  });
}

function missingOf(promised: MLTensorLimits | undefined, { dataTypes, rankRange }: Requirement): string[] {
  if (!promised) return ['the operand'];
  const types = dataTypes.filter(
    (dataType) => !(promised.dataTypes as readonly string[] | undefined)?.includes(dataType),
  );
  const { min = 0, max = Number.POSITIVE_INFINITY } = promised.rankRange ?? {};
  const ranks: string[] = [];
  if (min > rankRange.min) ranks.push(`rank ${rankText(rankRange.min, min - 1)}`);
  if (max < rankRange.max) ranks.push(`rank ${rankText(max + 1, rankRange.max)}`);
  return [...(types.length > 0 ? [types.join(' ')] : []), ...ranks];
}

/** The first operand of a few operators is `a` in browsers and `input` in the list, or the other way round. */
function limitsOf(promised: OperatorLimits, operand: string): MLTensorLimits | undefined {
  const other = { a: 'input', input: 'a' }[operand];
  return promised[operand] ?? (other === undefined ? undefined : promised[other]);
}

/** A promise as text: `float32 float16, rank 0-5`. */
export function promiseText({ dataTypes = [], rankRange }: MLTensorLimits): string {
  const { min = 0, max } = rankRange ?? {};
  return `${dataTypes.join(' ')}${max === undefined ? '' : `, rank ${rankText(min, max)}`}`;
}

function rankText(min: number, max: number): string {
  return min === max ? String(min) : `${min}-${max}`;
}

/** The cases to run: all promised ones, but of `edges` those whose rank is the lowest or the highest. */
export function casesFor(limits: ReadonlyMap<string, OperatorLimits>, cases: readonly ProbeCase[]): ProbeCase[] {
  return cases.filter((one) => {
    const promised = limits.get(opOf(one));
    if (!promised) return false;
    const rows = one.operands.map((operand) => ({ operand, limits: limitsOf(promised, operand.name) }));
    if (!rows.every(({ operand, limits }) => limits === undefined || isPromised(operand, limits))) return false;
    return one.part !== 'edges' || rows.some(({ operand, limits }) => isAtEdge(operand, limits));
  });
}

function isPromised({ dataType, rank }: CaseOperand, { dataTypes = [], rankRange = {} }: MLTensorLimits): boolean {
  const { min = 0, max = Number.POSITIVE_INFINITY } = rankRange;
  return (dataTypes as readonly string[]).includes(dataType) && (rank === null || (min <= rank && rank <= max));
}

function isAtEdge({ rank }: CaseOperand, limits: MLTensorLimits | undefined): boolean {
  return rank !== null && (rank === limits?.rankRange?.min || rank === limits?.rankRange?.max);
}
