/** Summarizes a model's report: engine and placement. */

import type { ModelReport } from 'tflite-webnn';

/** One model's row. */
export interface WhereItRan {
  readonly model: string;
  readonly nodes: string;
  readonly engine: string;
  readonly module: string;
}

/** Summarizes the report of a model. */
export function whereItRan(model: string, report: ModelReport): WhereItRan {
  return { model, nodes: nodesText(report), engine: engineText(report), module: moduleText(report) };
}

function nodesText({ totals, executionMode }: ModelReport): string {
  if (executionMode === 'cpu') return `all ${totals.nodes} on the CPU`;
  if (totals.delegatedNodes === totals.nodes) return `all ${totals.nodes} on WebNN`;
  return `${totals.delegatedNodes} of ${totals.nodes} on WebNN, the others on the CPU`;
}

function engineText({ webnn, executionMode }: ModelReport): string {
  if (executionMode !== 'cpu') return webnn.backend ?? 'the browser’s WebNN';
  return webnn.requested ? `XNNPACK, not WebNN: ${webnn.reason ?? 'it supports no node of this model'}` : 'XNNPACK';
}

function moduleText({ variant, threads }: ModelReport): string {
  return `${variant}, ${threads.used} ${threads.used === 1 ? 'thread' : 'threads'}`;
}
