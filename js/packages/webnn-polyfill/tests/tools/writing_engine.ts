/** An engine whose graphs are files: the serializer behind the entire API. */

import { writeFileSync } from 'node:fs';
import type { WebnnGraph } from 'tflite-webnn/description';
import { buildGraph } from 'tflite-webnn/webnn/graph_executor';
import type { HeapReader } from 'tflite-webnn/webnn/graph_nodes';
import type { MLGraphBuilder } from 'tflite-webnn/webnn_types';
import { INTERFACE_OBJECTS, ML } from '../../src/api/ml.js';
import type { Engine, EngineContext } from '../../src/engine.js';
import { opSupportLimits } from '../../src/tflite/op_table.js';
import { serializeGraph } from '../../src/tflite/serialize_graph.js';
import { toPage } from '../../src/webidl/interfaces.js';

const LIMITS = opSupportLimits();

function writingEngine(write: (model: Uint8Array) => void): Engine {
  const context: EngineContext = {
    accelerated: false,
    limits: LIMITS,
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

/** Writes a graph as a .tflite file. */
export async function writeGraph(graph: WebnnGraph, constants: HeapReader, file: string): Promise<void> {
  const ml = new ML(writingEngine((model) => writeFileSync(file, model)));
  const context = toPage(await ml.createContext({ powerPreference: 'default', accelerated: false }));
  const Builder = INTERFACE_OBJECTS.MLGraphBuilder as unknown as new (context: unknown) => MLGraphBuilder;
  await buildGraph(graph, new Builder(context), constants);
}
