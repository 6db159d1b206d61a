/** The graphs of a model as one JSON text that needs nothing else. */

import { GRAPHS } from '../argument_kinds.js';
import { checkArguments } from '../support/option_check.js';
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

/** `String.fromCharCode` takes only so many arguments. A multiple of 3: each piece but the last has no padding. */
const PIECE_BYTES = 3 * 8192;

/** Writes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(start, start + PIECE_BYTES))));
  }
  return pieces.join('');
}
