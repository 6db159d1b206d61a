/** The report as text: reasons of many nodes as few lines, and long names as short ones. */

import type { CompositeInfo, NodeInfo, PatternInfo, TensorInfo, XnnpackExclusion } from '../description.js';
import { printable } from '../errors.js';
import type { ExecutionMode } from '../model/schedule.js';
import { LIST } from '../option_schema.js';
import { checkArguments } from '../support/validate_options.js';
import type {
  ModelReport,
  PartitionReport,
  ReportTotals,
  SubgraphReport,
  ThreadsReport,
  WebnnReport,
} from './report.js';

const MODES: Readonly<Record<ExecutionMode, string>> = {
  direct: 'direct: WebNN runs the entire model',
  stepped: 'stepped: WebNN and the CPU alternate',
  blocking: 'blocking: WebNN and the CPU alternate, while the thread waits',
  cpu: 'cpu: nothing runs on WebNN',
};

/**
 * Writes a report, one line per item and per node. Lines have no trailing space; the text ends with a newline.
 *
 * @param report - What `model.report()` returns, or an explanation's.
 * @throws OptionError
 */
export function renderReport(report: ModelReport): string {
  checkArguments('renderReport', { report }, { report: { nodes: LIST, partitions: LIST } });
  const nodes = groupsOf(report.nodes, ({ index }) => index);
  const lines = [
    ...summary(report),
    ...report.partitions.flatMap((partition, index) => ['', ...partitionLines(partition, index, nodes)]),
  ];
  return lines.map((line) => `${printable(line.trimEnd())}\n`).join('');
}

/** Reasons that many nodes share are printed once, with the number of nodes. */
function reasonLines(name: string, reasons: readonly (string | null)[]): string[] {
  const provided = reasons.filter((reason) => reason !== null);
  return sharedReasons(provided).map((shared) => line(name, `${count(shared.count, 'node')}: ${shared.text}`));
}

/** Nodes that WebNN could have run stay because of those that it could not: they come last. */
function cpuLines(nodes: readonly NodeInfo[]): string[] {
  const reasonsOf = (supported: boolean) =>
    nodes.filter((node) => node.supported === supported).map(({ reason }) => reason);
  return [...reasonLines('on the CPU', reasonsOf(false)), ...reasonLines('then also', reasonsOf(true))];
}

function summary(report: ModelReport): string[] {
  const { executionMode, nodes, totals, webnn, xnnpack, timingsMs, variant, threads } = report;
  const times =
    timingsMs && `compile ${ms(timingsMs.compile)}, init ${ms(timingsMs.init)}, build ${ms(timingsMs.build)}`;
  const run = totals.dispatchMs === null ? '' : `, dispatches ${ms(totals.dispatchMs)} a run`;
  return [
    line('execution mode', MODES[executionMode]),
    line('on WebNN', `${totals.delegatedNodes} of ${count(totals.nodes, 'node')}, ${partitionsText(totals)}`),
    line('quantized', quantizedText(totals)),
    line('copies a run', `${totals.bytesCrossing} bytes into and out of WebNN`),
    line('context', contextText(webnn)),
    line('wasm', variant),
    ...threadsLines(threads),
    ...(times === null ? [] : [line('time, ms', `${times}${run}`)]),
    ...fallbackRows(webnn),
    ...exclusionLines(xnnpack.excludedNodes),
    ...report.subgraphs.flatMap(subgraphLines),
    ...groupLines('inlined', nodes, ({ composite }) => composite),
    ...groupLines('lowered as one', nodes, ({ pattern }) => pattern),
    ...cpuLines([nodes, ...report.subgraphs.map((subgraph) => subgraph.nodes)].flat()),
    ...reasonLines(
      'not fused',
      nodes.map(({ notFused }) => notFused),
    ),
  ];
}

/** How signatures of another subgraph run. */
function subgraphLines({ signatures, executionMode, totals, excludedNodes }: SubgraphReport): string[] {
  const names = signatures.map(shortName).join(', ');
  if (executionMode === null) return [line('signature', `${names}: prepared when it first runs`)];
  if (totals === null) return [line('signature', `${names}: in wasm, as it shares the model's instance`)];
  const nodes = `${totals.delegatedNodes} of ${count(totals.nodes, 'node')} on WebNN, ${partitionsText(totals)}`;
  return [
    line('signature', `${names}: ${executionMode}, ${nodes}`),
    ...excludedNodes.map(({ node, reason }) => line('rejected', `node ${node} of ${names}: ${reason}`)),
  ];
}

/** Composites or patterns by name, with the number of nodes in them. */
function groupLines(
  name: string,
  nodes: readonly NodeInfo[],
  groupOf: (node: NodeInfo) => CompositeInfo | PatternInfo | null,
): string[] {
  const kinds = groupsOf(
    nodes.flatMap((node) => groupOf(node) ?? []),
    (group) => group.name,
  );
  return [...kinds.keys()].sort().map((kind) => {
    const own = kinds.get(kind) ?? [];
    const found = new Set(own.map(({ node }) => node)).size;
    return line(name, `${found} ${kind} as ${count(own.length, 'node')}`);
  });
}

/** One thread is no news, except for those who requested more. */
function threadsLines({ requested, used, reason }: ThreadsReport): string[] {
  if (used > 1) return [line('threads', String(used))];
  if (requested === null || requested <= used) return [];
  return [line('threads', `${used} of the ${requested} requested: ${reason}`)];
}

function contextText({ devicePreference, powerPreference, backend, opSupportLimits }: WebnnReport): string {
  const lines = [
    `device preference ${devicePreference}, power preference ${powerPreference}`,
    backend && `backend ${backend}`,
    opSupportLimits && `${Object.keys(opSupportLimits).length} rows of support limits`,
  ];
  return lines.filter(Boolean).join('; ');
}

function fallbackRows({ reason, contextLosses, lastContextLoss, excludedNodes, workarounds }: WebnnReport): string[] {
  const losses = `${count(contextLosses, 'time')}, rebuilt; the last time: ${lastContextLoss}`;
  return [
    ...(reason === null ? [] : [line('not on WebNN', reason)]),
    ...(lastContextLoss === null ? [] : [line('context lost', losses)]),
    ...excludedNodes.map((excluded) => line('rejected', `node ${excluded.node}: ${excluded.reason}`)),
    ...(workarounds.length === 0 ? [] : [line('workarounds', workarounds.join(', '))]),
  ];
}

/** Nodes of a subgraph that have one reason are printed together. */
function exclusionLines(exclusions: readonly XnnpackExclusion[]): string[] {
  const groups = groupsOf(
    exclusions,
    ({ subgraph, reason }) => `of ${subgraph === null ? 'some subgraph' : `subgraph ${subgraph}`}: ${reason}`,
  );
  return [...groups].map(([text, group]) => {
    const nodes = group.flatMap(({ node }) => node ?? []);
    const which = nodes.length === 0 ? 'all nodes' : `node${nodes.length === 1 ? '' : 's'} ${nodes.join(', ')}`;
    return line('not on XNNPACK', `${which} ${text}`);
  });
}

function line(name: string, text: string): string {
  return `${name.padEnd(14)}  ${text}`;
}

function partitionsText({ webnnPartitions }: ReportTotals): string {
  return `in ${count(webnnPartitions, 'partition')}`;
}

function quantizedText({ quantizedNodes: { fused, float, cpu } }: ReportTotals): string {
  if (fused + float + cpu === 0) return 'none';
  return `${fused} fused, ${float} in float, ${cpu} on the CPU`;
}

function partitionLines(
  partition: PartitionReport,
  index: number,
  nodes: ReadonlyMap<number, readonly NodeInfo[]>,
): string[] {
  const { placement, devices, buildMs, dispatchMs, queuedDispatches, inputs, outputs, bytesIn, bytesOut } = partition;
  const where = placement === 'cpu' ? 'CPU' : `WebNN${devices === null ? '' : ` (${devices.join(', ')})`}`;
  const build = buildMs === null ? '' : `, built in ${ms(buildMs)} ms`;
  const dispatch =
    dispatchMs === null
      ? ''
      : `, dispatch ${ms(dispatchMs.last)} ms (mean of ${dispatchMs.count}: ${ms(dispatchMs.mean)})`;
  const queued = queuedDispatches === 0 ? '' : `, ${queuedDispatches} by dispatch() or stream(), not timed`;
  const rows = partition.nodes.flatMap((node) => nodes.get(node) ?? []).map(nodeCells);
  return [
    `partition ${index} on ${where}: ${count(partition.nodes.length, 'node')}${build}${dispatch}${queued}`,
    `  in   ${bytesIn} bytes`,
    ...inputs.map(tensorLine),
    `  out  ${bytesOut} bytes`,
    ...outputs.map(tensorLine),
    '  nodes',
    ...table(rows),
  ];
}

function tensorLine({ index, name, dtype, shape }: TensorInfo): string {
  return `    t${index} ${dtype}[${shape}] ${shortName(name)}`;
}

/** Index, op, quantized form, what it became or why it stays, and the composite around it. */
function nodeCells(node: NodeInfo): string[] {
  const { index, op, placement, quantized, notFused, reason, composite } = node;
  const became =
    placement === 'cpu' ? (reason ?? '') : `${operatorsText(node)}${notFused ? `; not fused: ${notFused}` : ''}`;
  const origin = composite === null ? '' : `; in ${composite.name}, node ${composite.node} of the file`;
  return [String(index), op, quantized ?? '', withShortNames(`${became}${origin}`)];
}

function operatorsText({ index, pattern, webnnOps }: NodeInfo): string {
  if (pattern === null) return opsText(webnnOps);
  return pattern.node === index
    ? `${opsText(webnnOps)}: ${pattern.name}`
    : `with node ${pattern.node}: ${pattern.name}`;
}

/** Operators in order, repeated ones counted. */
function opsText(ops: readonly string[]): string {
  if (ops.length === 0) return 'folded while loading';
  const runs: { op: string; times: number }[] = [];
  for (const op of ops) {
    const last = runs.at(-1);
    if (last?.op === op) last.times++;
    else runs.push({ op, times: 1 });
  }
  return runs.map(({ op, times }) => (times === 1 ? op : `${op} x${times}`)).join(', ');
}

/** Rows with aligned columns: the first one to the right, the last one as long as it is. */
function table(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number) => rows.reduce((max, row) => Math.max(max, row[column]?.length ?? 0), 0);
  const widths = [0, 1, 2].map(width);
  return rows.map(([index = '', op = '', form = '', text = '']) => {
    const cells = [index.padStart(widths[0] ?? 0), op.padEnd(widths[1] ?? 0), form.padEnd(widths[2] ?? 0), text];
    return `    ${cells.filter((_, column) => column !== 2 || widths[2] !== 0).join('  ')}`;
  });
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function ms(milliseconds: number): string {
  return milliseconds.toFixed(milliseconds < 10 ? 2 : 1);
}

const MAX_NAME_LENGTH = 60;
const NAMED_TENSOR = /\btensor \d+ '[^']*'/g;
const NAMED_NODE = /\bnode \d+\b/g;
/** Digits of a name are read once. */
const DURATION = /(?<![\d.])\d+\.\d+(?= ms\b)/g;

/** A reason that several nodes share but for the tensors, nodes and times that it names. */
export interface SharedReason {
  /** How many nodes have it. */
  readonly count: number;
  readonly text: string;
}

/** A name of at most 60 characters: the middle of a longer one is left out. */
export function shortName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  const kept = MAX_NAME_LENGTH - 1;
  return `${name.slice(0, Math.ceil(kept / 2))}…${name.slice(-Math.floor(kept / 2))}`;
}

/** The same text with the names of its tensors shortened. */
export function withShortNames(text: string): string {
  return text.replace(/(\btensor \d+ ')([^']*)'/g, (_, start: string, name: string) => `${start}${shortName(name)}'`);
}

/** Reasons that differ only in what they name as one, the most frequent ones first. */
export function sharedReasons(reasons: readonly string[]): SharedReason[] {
  const shared = [...groupsOf(reasons.map(withShortNames), templateOf).values()].map((group) => ({
    count: group.length,
    text: textOf(group),
  }));
  return shared.sort((a, b) => b.count - a.count);
}

/** Values by key, in their order. */
export function groupsOf<Key, Value>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

function templateOf(reason: string): string {
  return reason.replace(NAMED_TENSOR, 'a tensor').replace(NAMED_NODE, 'a node').replace(DURATION, 'time');
}

/** The first reason, with ranges for times, and its tensors and nodes as examples where others have others. */
function textOf(group: readonly string[]): string {
  const [first = ''] = group;
  const durations = group.map((reason) => matchesOf(reason, DURATION).map(Number));
  let position = 0;
  const ranged = first.replace(DURATION, (own) => {
    const all = durations.map((row) => row[position] ?? Number(own));
    position++;
    const [min, max] = [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))].map((ms) =>
      ms.toFixed(2),
    );
    return min === max ? own : `${min} to ${max}`;
  });
  const example = (what: string, pattern: RegExp) => {
    const named = group.map((reason) => new Set(matchesOf(reason, pattern)));
    return (own: string) => (named.every((names) => names.has(own)) ? own : `${what} (such as ${own})`);
  };
  const named = ranged.replace(NAMED_NODE, example('a node', NAMED_NODE));
  return named.replace(NAMED_TENSOR, example('a tensor', NAMED_TENSOR));
}

function matchesOf(reason: string, pattern: RegExp): readonly string[] {
  return reason.match(pattern) ?? [];
}
