import { describe, expect, it } from 'vitest';
import { type DeniedNode, denyAndRetry, denyNodes, WebnnBuildError } from '../src/webnn/denied_nodes.js';

/** Refuses nodes one after the other, each once. */
function refusing(nodes: readonly number[], denied: readonly DeniedNode[]): string {
  const next = nodes.find((node) => !denied.some((other) => other.node === node));
  if (next !== undefined) throw new WebnnBuildError(`node ${next} is too hard`, next);
  return `runs without ${denied.map(({ node }) => node)}`;
}

describe('denyAndRetry', () => {
  it('leaves out node after node, immediately', () => {
    expect(denyAndRetry((denied) => refusing([3, 5], denied))).toBe('runs without 3,5');
  });

  it('ends after eight refusals, and where leaving out a node is of no use', () => {
    const many = Array.from({ length: 20 }, (_, node) => node);
    let left: readonly DeniedNode[] = [];
    const attempt = (denied: readonly DeniedNode[]) => {
      left = denied;
      return refusing(many, denied);
    };
    expect(() => denyAndRetry(attempt)).toThrow('node 8 is too hard');
    expect(left).toHaveLength(8);
    const nameless = () => {
      throw new WebnnBuildError('no node named', null);
    };
    expect(() => denyAndRetry(nameless)).toThrow('no node named');
  });
});

describe('denyNodes', () => {
  it('adds what the error names, once', () => {
    const denied: DeniedNode[] = [];
    const error = new WebnnBuildError('node 5 is too hard', 5);
    expect(denyNodes(error, denied)).toBe(true);
    expect(denied).toEqual([{ node: 5, reason: 'node 5 is too hard' }]);
    expect(denyNodes(error, denied)).toBe(false);
    expect(denyNodes(new Error('something else'), denied)).toBe(false);
    expect(denied).toHaveLength(1);
  });
});
