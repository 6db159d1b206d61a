/** The report on a WebNN: these types are the schema of its JSON. */

import type { MLContextOptions } from 'webnn-polyfill';
import type { Stage } from './session.js';

/** Increased if readers of older reports could misunderstand newer ones. */
export const FORMAT = 1;

/**
 * The outcome of a graph. `wrong`: beyond the tolerance; `crashes`: the context was lost; `hangs`: no response in time;
 * `untried`: another graph of the operator had crashed a context.
 */
export type Outcome = 'works' | 'rejected' | 'wrong' | 'crashes' | 'hangs' | 'untried';

/** A type or rank that the specification requires of an operand and that opSupportLimits() does not promise. */
export interface Shortfall {
  readonly op: string;
  readonly operand: string;
  readonly missing: string;
}

/** Graphs of one operator with the same result. */
export interface Bug {
  readonly outcome: Exclude<Outcome, 'works'>;
  readonly stage: Stage | '';
  /** Of the first graph: the browser's message, or how its numbers differ. */
  readonly message: string;
  readonly graphs: number;
  /** Names of the first graphs, without the operator's. */
  readonly examples: readonly string[];
}

/** One operator in one context. */
export interface OperatorReport {
  readonly op: string;
  /** By operand: `float32 float16, rank 0-5`. */
  readonly promise: Readonly<Record<string, string>>;
  /** Graphs at the edges of the promise, by outcome. */
  readonly edges: Readonly<Partial<Record<Outcome, number>>>;
  /** Graphs of the corpus with numpy's results, by outcome. */
  readonly values: Readonly<Partial<Record<Outcome, number>>>;
  readonly bugs: readonly Bug[];
}

/** A context of certain options. */
export interface ContextReport {
  readonly name: string;
  readonly options: MLContextOptions;
  /** Why there is no such context; null if there is one. */
  readonly rejected: string | null;
  /** An earlier context with the same limits and devices, whose results hold for this one; null if there is none. */
  readonly sameAs: string | null;
  /** MLGraph.devices; null if the browser does not say. */
  readonly devices: readonly string[] | null;
  readonly accelerated: boolean | null;
  readonly shortfalls: readonly Shortfall[];
  readonly operators: readonly OperatorReport[];
}

/** Milliseconds of a run, in the fastest of several turns with the polyfill; null where it does not run. */
export interface SpeedReport {
  readonly operation: string;
  readonly ms: number | null;
  readonly polyfillMs: number | null;
  readonly failure: string | null;
}

/** Whether a dequantizeLinear, operator, quantizeLinear pattern becomes one kernel. */
export interface FusionReport {
  readonly pattern: string;
  /** Milliseconds of the pattern. */
  readonly ms: number | null;
  /** The same in two graphs, between which nothing can be fused. */
  readonly unfusedMs: number | null;
  /** Quantized elements that differ between the two. */
  readonly differing: number | null;
  readonly elements: number | null;
  readonly failure: string | null;
}

/** A feature other than the operators. */
export interface FeatureReport {
  readonly feature: string;
  readonly there: boolean;
  readonly detail: string;
}

/** The report. */
export interface WebnnReport {
  readonly format: typeof FORMAT;
  /** ISO 8601. */
  readonly created: string;
  /** A name for tables: `Chromium 147.0.7727.0`. */
  readonly browser: string;
  readonly userAgent: string;
  /** `browser`, or the polyfill and its engine. */
  readonly webnn: string;
  /** Where the required types and ranks come from. */
  readonly requirements: string;
  readonly contexts: readonly ContextReport[];
  readonly speed: readonly SpeedReport[];
  readonly fusion: readonly FusionReport[];
  readonly features: readonly FeatureReport[];
}

/** A part of a report that a reader cannot use. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
}

/**
 * Reads a report.
 *
 * @throws ReportError if the text is not a report of this format.
 */
export function readReport(text: string): WebnnReport {
  let found: Partial<WebnnReport>;
  try {
    found = JSON.parse(text);
  } catch (error) {
    throw new ReportError('this file is not JSON: choose one that this page or `python3 -m tools.probe` saved', {
      cause: error,
    });
  }
  if (found?.format !== FORMAT || !Array.isArray(found.contexts)) {
    throw new ReportError(`this file is not a WebNN report of format ${FORMAT}; create it again on this page`);
  }
  return found as WebnnReport;
}

/** JSON with one row a line, for diffs. */
export function reportText(report: WebnnReport): string {
  const lists = ['contexts', 'speed', 'fusion', 'features'] as const;
  const scalars = Object.entries(report).filter(([key]) => !(lists as readonly string[]).includes(key));
  const head = scalars.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const rows = lists.map((key) => {
    const lines = key === 'contexts' ? report.contexts.map(contextText) : report[key].map((row) => JSON.stringify(row));
    return `"${key}": ${listText(lines)}`;
  });
  return `{\n${[...head, ...rows].join(',\n')}\n}\n`;
}

function contextText({ shortfalls, operators, ...rest }: ContextReport): string {
  const head = JSON.stringify(rest).slice(0, -1);
  const rows = (list: readonly unknown[]) => listText(list.map((row) => JSON.stringify(row)));
  return `${head},\n"shortfalls": ${rows(shortfalls)},\n"operators": ${rows(operators)}}`;
}

function listText(lines: readonly string[]): string {
  return lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n]`;
}
