/**
 * Builds a graph; where the browser cannot, finds out which node is the reason. Builder methods that throw name their
 * operator, but what build() rejects with often does not: Chromium's backends say "Pool2d doesn't support dilations".
 */

import type { WebnnGraph } from '../description.js';
import type { MLGraph, MLGraphBuilder } from '../webnn_types.js';
import { buildGraph, type GraphGuard, type HeapReader } from './graph_executor.js';
import { nodeOfLabel, operandsIn } from './graph_nodes.js';
import { labelOfLargeConstant, splitLargeConstants } from './large_constants.js';
import { WebnnBuildError } from './webnn_build_error.js';

/**
 * Builds the graph.
 *
 * @param described - The graph; weights that are too large for the browser are split.
 * @param makeBuilder - Makes a fresh MLGraphBuilder; each attempt needs its own.
 * @param guard - Keeps from the browser what ends its GPU process.
 * @throws KnownFaultError; WebnnBuildError naming the node. It costs a few more attempts where the browser does not name it.
 */
export async function buildOrFindNode(
  described: WebnnGraph,
  makeBuilder: () => MLGraphBuilder,
  heap: HeapReader,
  guard: GraphGuard | null = null,
): Promise<MLGraph> {
  const graph = splitLargeConstants(described);
  try {
    return await buildGraph(graph, makeBuilder(), heap, guard);
  } catch (error) {
    if (!(error instanceof WebnnBuildError) || error.node !== null) throw error;
    const [label, how] = labelOfRefusedSize(graph, error.message) ?? [
      await findLabel(graph, makeBuilder, heap),
      'parts of the graph build up to node',
    ];
    const message = `${error.message} (the browser names no operator; ${how} ${label})`;
    throw new WebnnBuildError(message, nodeOfLabel(label), { cause: error.cause });
  }
}

/** Where the browser speaks of sizes, and there is a constant of more than it takes: its node, without a search. */
function labelOfRefusedSize(graph: WebnnGraph, message: string): [label: string, how: string] | null {
  const { maxConstantBytes } = graph;
  if (maxConstantBytes === undefined || !/size|limit|large/i.test(message)) return null;
  const label = labelOfLargeConstant(graph, maxConstantBytes);
  return label === null ? null : [label, `a constant of more than ${maxConstantBytes / 2 ** 20} MiB is at node`];
}

/** The label of the first node with which the graph's beginning cannot be built: a binary search. */
async function findLabel(graph: WebnnGraph, makeBuilder: () => MLGraphBuilder, heap: HeapReader): Promise<string> {
  const labels = [...new Set(graph.operators.map(({ label }) => label))];
  let [built, refused] = [0, labels.length];
  while (refused - built > 1) {
    const middle = (built + refused) >> 1;
    const builds = await canBuild(beginningOf(graph, new Set(labels.slice(0, middle))), makeBuilder, heap);
    if (builds) built = middle;
    else refused = middle;
  }
  return labels[built] as string;
}

async function canBuild(graph: WebnnGraph, makeBuilder: () => MLGraphBuilder, heap: HeapReader): Promise<boolean> {
  try {
    const built = await buildGraph(graph, makeBuilder(), heap);
    built.destroy?.();
    return true;
  } catch {
    return false;
  }
}

/** The operators of these labels as a graph; its outputs are what none of them reads. */
function beginningOf(graph: WebnnGraph, labels: ReadonlySet<string>): WebnnGraph {
  const operators = graph.operators.filter(({ label }) => labels.has(label));
  const read = new Set(operators.flatMap(({ args }) => args.flatMap(operandsIn)));
  const ends = operators.flatMap(({ outputs }) => outputs).filter((id) => !read.has(id));
  return {
    inputs: graph.inputs.filter(({ id }) => read.has(id)),
    constants: graph.constants.filter(({ id }) => read.has(id)),
    operators,
    // What is only built and never dispatched is not asked for its type and shape.
    outputs: ends.map((id) => ({ id, name: `end${id}`, tensor: -1, dataType: 'float32', shape: [] })),
  };
}
