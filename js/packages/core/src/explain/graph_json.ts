/** The graphs of a model as one JSON text that needs nothing else. */

import { GRAPHS } from '../argument_kinds.js';
import { checkArguments } from '../support/option_check.js';
import { toBase64 } from './base64.js';
import type { Explanation } from './explain_model.js';

/**
 * Writes `{"graphs": [WebnnGraph, ...]}`, one element of a graph a line. docs/architecture.md has the format; a constant
 * has its bytes as base64, `data`, instead of an address.
 *
 * @param explanation - What explainModel() has found.
 *
 * @group explain.mjs
 */
export function exportGraphsAsJson(explanation: Pick<Explanation, 'graphs' | 'heap'>): string {
  checkArguments('exportGraphsAsJson', { explanation }, { explanation: GRAPHS });
  const { graphs, heap } = explanation;
  const texts = graphs.map(({ maxConstantBytes: _, indexLimits: __, ...graph }) => {
    const constants = graph.constants.map(({ address, byteLength, ...constant }) => ({
      ...constant,
      data: toBase64(heap(address, byteLength)),
    }));
    const parts = Object.entries({ ...graph, constants }).map(([key, elements]) => list(key, elements));
    return `{\n${parts.join(',\n')}\n}`;
  });
  return `{"graphs": [\n${texts.join(',\n')}\n]}\n`;
}

function list(key: string, elements: readonly unknown[]): string {
  return `"${key}": [\n${elements.map((element) => `  ${JSON.stringify(element)}`).join(',\n')}\n]`;
}
