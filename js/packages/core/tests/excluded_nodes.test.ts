import type { ExcludedNode } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import { excludeAndRetry, excludeNodes, WebnnBuildError } from '../src/webnn/excluded_nodes.js';

/** Rejects nodes one after the other, each once. */
function rejecting(nodes: readonly number[], excluded: readonly ExcludedNode[]): string {
  const next = nodes.find((node) => !excluded.some((other) => other.node === node));
  if (next !== undefined) throw new WebnnBuildError(`node ${next} is too hard`, next);
  return `runs without ${excluded.map(({ node }) => node)}`;
}

describe('excludeAndRetry', () => {
  it('leaves out node after node, immediately', () => {
    expect(excludeAndRetry((excluded) => rejecting([3, 5], excluded))).toBe('runs without 3,5');
  });

  it('ends after eight rejections, and where leaving out a node is of no use', () => {
    const many = Array.from({ length: 20 }, (_, node) => node);
    let left: readonly ExcludedNode[] = [];
    const attempt = (excluded: readonly ExcludedNode[]) => {
      left = excluded;
      return rejecting(many, excluded);
    };
    expect(() => excludeAndRetry(attempt)).toThrow('node 8 is too hard');
    expect(left).toHaveLength(8);
    const nameless = () => {
      throw new WebnnBuildError('no node named', null);
    };
    expect(() => excludeAndRetry(nameless)).toThrow('no node named');
  });
});

describe('excludeNodes', () => {
  it('adds what the error names, once', () => {
    const excluded: ExcludedNode[] = [];
    const error = new WebnnBuildError('node 5 is too hard', 5);
    expect(excludeNodes(error, excluded)).toBe(true);
    expect(excluded).toEqual([{ node: 5, reason: 'node 5 is too hard' }]);
    expect(excludeNodes(error, excluded)).toBe(false);
    expect(excludeNodes(new Error('something else'), excluded)).toBe(false);
    expect(excluded).toHaveLength(1);
  });
});
