/** The arena plan as text, for a console. */

import { LIST } from '../argument_kinds.js';
import { checkArguments } from '../support/option_check.js';
import { printable } from '../support/printable.js';
import type { PlannedTensor, SubgraphMemory } from './arena.js';
import type { DelegatedMemory, MemoryPlan } from './memory_plan.js';

const HEADER = ['offset', 'bytes', 'nodes', 'tensor'] as const;

/**
 * Writes a plan: a line for each tensor, in the order in which they come to life. The text ends with a newline.
 *
 * @param plan - What planMemory() has found.
 *
 * @group explain.mjs
 */
export function renderMemoryPlan(plan: MemoryPlan): string {
  checkArguments('renderMemoryPlan', { plan }, { plan: { subgraphs: LIST, delegated: LIST } });
  const { subgraphs, delegated } = plan;
  const blocks = [...subgraphs.map(subgraphLines), delegated.map(delegatedLine)];
  return blocks.map((lines) => lines.map((line) => `${printable(line.trimEnd())}\n`).join('')).join('\n');
}

function subgraphLines(memory: SubgraphMemory): string[] {
  const { index, nodes, tensors, arenaBytes, persistentBytes, peakBytes, peakNode, constantBytes } = memory;
  const peak =
    peakNode === null ? '' : `; at most ${bytes(peakBytes)} in use at the same time, by ${nodeText(memory, peakNode)}`;
  const later = tensors.filter(isUnplaced).length;
  return [
    `subgraph ${index}: ${count(nodes.length, 'node')}, ${count(tensors.length, 'tensor')}`,
    `  arena       ${bytes(arenaBytes)}${peak}`,
    `  persistent  ${bytes(persistentBytes)}`,
    `  constants   ${bytes(constantBytes)}, where the file has them`,
    ...(later === 0
      ? []
      : [`  later       ${count(later, 'tensor')}, whose memory is not known before the model runs`]),
    ...tensorTable(memory, 'arena-rw', 'arena'),
    ...tensorTable(memory, 'arena-rw-persistent', 'persistent'),
  ];
}

function isUnplaced({ allocationType, offset, sizeBytes }: PlannedTensor): boolean {
  return allocationType === 'dynamic' || (allocationType === 'arena-rw' && offset === null && sizeBytes > 0);
}

function nodeText({ nodes }: SubgraphMemory, position: number): string {
  return `node ${position} (${nodes[position]?.op})`;
}

function tensorTable({ tensors }: SubgraphMemory, type: PlannedTensor['allocationType'], title: string): string[] {
  const inside = tensors.filter(({ allocationType, offset }) => allocationType === type && offset !== null);
  if (inside.length === 0) return [];
  const rows = [...inside]
    .sort(byFirstNode)
    .map((tensor) => [
      bytes(Number(tensor.offset), ''),
      bytes(tensor.sizeBytes, ''),
      tensor.firstNode === null ? '?' : `${tensor.firstNode} to ${tensor.lastNode ?? 'end'}`,
      `t${tensor.index} ${tensor.dtype}[${tensor.shape}] ${tensor.name || 'of a kernel'}`,
    ]);
  const widths = HEADER.map((name, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), name.length),
  );
  const line = (cells: readonly string[]) => {
    const [offset = '', size = '', nodes = '', tensor = ''] = cells;
    const [first = 0, second = 0, third = 0] = widths;
    return `  ${offset.padStart(first)}  ${size.padStart(second)}  ${nodes.padEnd(third)}  ${tensor}`;
  };
  return ['', `  ${title}`, line(HEADER), ...rows.map(line)];
}

function byFirstNode(a: PlannedTensor, b: PlannedTensor): number {
  return Number(a.firstNode) - Number(b.firstNode) || Number(a.offset) - Number(b.offset);
}

function delegatedLine({ delegates, planEntries, arenaBytes }: DelegatedMemory): string {
  const entries = `${planEntries} ${planEntries === 1 ? 'entry' : 'entries'} in the plan`;
  return `with ${delegates}: ${entries}, arena ${bytes(arenaBytes)}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** 1204224 as 1 204 224. */
function bytes(count: number, unit = ' bytes'): string {
  return `${String(count).replaceAll(/\B(?=(\d{3})+$)/g, ' ')}${unit}`;
}
