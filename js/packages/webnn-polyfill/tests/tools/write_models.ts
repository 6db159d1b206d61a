/**
 * Writes graphs as .tflite files, for tests that run them natively.
 *
 *   node write_models.mjs DIRECTORY < GRAPHS
 *
 * GRAPHS is a JSON list of graph descriptions (docs/architecture.md), with the bytes of constants as base64 in
 * `data`. Prints a JSON list with the `file` or the `error` of each.
 */

import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type EmbeddedGraph, fullMessage, readConstant, withAddresses } from './embedded_graph.js';
import { writeGraph } from './writing_engine.js';

const directory = process.argv[2] ?? '.';
const graphs = JSON.parse(await text(process.stdin)) as EmbeddedGraph[];
const results: object[] = [];
for (const [index, graph] of graphs.entries()) {
  const file = join(directory, `${index}.tflite`);
  try {
    await writeGraph(withAddresses(graph), readConstant(graph), file);
    results.push({ file });
  } catch (error) {
    results.push({ error: fullMessage(error) });
  }
}
process.stdout.write(JSON.stringify(results));
