/** An engine whose graphs are files: the serializer behind the entire API. */

import { writeFileSync } from 'node:fs';
import type { HeapReader, WebnnGraph } from 'tflite-webnn/explain';
import { buildGraph } from 'tflite-webnn/webnn/graph_executor';
import { type Engine, type EngineContext, type MLGraphBuilder, webnnOf } from 'webnn-polyfill';
import { opSupportLimits } from '../../src/tflite/op_table.js';
import { serializeGraph } from '../../src/tflite/serialize_graph.js';

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
  const { navigator, MLGraphBuilder } = webnnOf(writingEngine((model) => writeFileSync(file, model)));
  const Builder = MLGraphBuilder as new (context: unknown) => MLGraphBuilder;
  await buildGraph(graph, new Builder(await navigator?.ml?.createContext()), constants);
}
