/** Cases of the operator corpus (web_tests/polyfill_cases, tools/probe), as data. */

/** An input, a constant or an expected output. */
export interface ProbeTensor {
  readonly id: number;
  readonly name: string;
  readonly dataType: string;
  readonly shape: readonly number[];
  /** The bytes as base64. */
  readonly data: string;
}

/** One call of an operator, in the format of docs/architecture.md; infinities are the strings "Infinity", "-Infinity". */
export interface ProbeGraph {
  readonly inputs: readonly ProbeTensor[];
  readonly constants: readonly ProbeTensor[];
  readonly operators: readonly [{ readonly op: string; readonly args: readonly unknown[] }];
}

/** Allowed error of a float: `ulps` of its magnitude, or of `floor` if that is greater. */
export interface Tolerance {
  readonly ulps: number;
  readonly floor: number;
}

/** What opSupportLimits() has to promise for a case: type and rank of one operand. A null rank is not checked. */
export interface CaseOperand {
  readonly name: string;
  readonly dataType: string;
  readonly rank: number | null;
}

/** A graph of one operator with its reference. */
export interface ProbeCase {
  /** Unique; begins with the operator's name. */
  readonly name: string;
  /** `edges` varies types and ranks, of which those at the edges of a promise run; `ranks` are all that are promised. */
  readonly part: 'edges' | 'ranks' | 'values';
  readonly graph: ProbeGraph;
  readonly operands: readonly CaseOperand[];
  /** Empty: another engine's output is the reference. Null: the specification does not say what the result is. */
  readonly expected: readonly ProbeTensor[] | null;
  readonly tolerance: Tolerance;
}

/** The operator of a case. */
export function opOf({ graph }: Pick<ProbeCase, 'graph'>): string {
  return graph.operators[0].op;
}
