/**
 * Writes graphs as .tflite files: for tests that run these natively.
 *
 *   node write_models.mjs FOLDER < GRAPHS
 *
 * GRAPHS is a JSON list of graph descriptions (docs/architecture.md), whose constants have their bytes as base64 in
 * `data`. Prints a JSON list with the file of each, or the error that it gave.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildGraph } from '../../../runtime/src/graph_executor.js';
import type { MLGraphBuilder } from '../../../runtime/src/webnn_types.js';
import { INTERFACE_OBJECTS } from '../../src/api/interfaces.js';
import { ML } from '../../src/api/ml.js';
import type { Engine, EngineContext } from '../../src/engine.js';
import { opSupportLimits } from '../../src/tflite/limits.js';
import { serializeGraph } from '../../src/tflite/serialize_graph.js';
import { toPage } from '../../src/webidl/interfaces.js';
import { type EmbeddedGraph, fullMessage, placed, readConstant } from './embedded_graph.js';

/** An engine whose graphs are files. */
function writingEngine(write: (model: Uint8Array) => void): Engine {
  const context: EngineContext = {
    accelerated: false,
    limits: opSupportLimits(),
    lost: new Promise(() => {}),
    async build(graph) {
      write(serializeGraph(graph));
      return { dispatch() {}, destroy() {} };
    },
    createTensor() {
      throw new Error('this engine only writes models');
    },
    destroy() {},
  };
  return { name: 'tflite', open: async () => context };
}

async function writeGraph(graph: EmbeddedGraph, file: string): Promise<void> {
  const ml = new ML(writingEngine((model) => writeFileSync(file, model)));
  const context = toPage(await ml.createContext({ powerPreference: 'default', accelerated: false }));
  const Builder = INTERFACE_OBJECTS.MLGraphBuilder as unknown as new (context: unknown) => MLGraphBuilder;
  await buildGraph(placed(graph), new Builder(context), readConstant(graph));
}

const folder = process.argv[2] ?? '.';
const graphs = JSON.parse(await text(process.stdin)) as EmbeddedGraph[];
const results: object[] = [];
for (const [index, graph] of graphs.entries()) {
  const file = join(folder, `${index}.tflite`);
  try {
    await writeGraph(graph, file);
    results.push({ file });
  } catch (error) {
    results.push({ error: fullMessage(error) });
  }
}
process.stdout.write(JSON.stringify(results));
