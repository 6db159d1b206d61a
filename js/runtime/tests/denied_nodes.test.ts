import { describe, expect, it } from 'vitest';
import { WebnnBuildError } from '../src/errors.js';
import { type DeniedNode, denyAndRetry } from '../src/webnn/denied_nodes.js';

/** Refuses nodes one after the other, each once. */
function refusing(nodes: readonly number[], denied: readonly DeniedNode[]): string {
  const next = nodes.find((node) => !denied.some((other) => other.node === node));
  if (next !== undefined) throw new WebnnBuildError(`node ${next} is too hard`, next);
  return `runs without ${denied.map(({ node }) => node)}`;
}

describe('denyAndRetry', () => {
  it('leaves out node after node, at once', () => {
    const denied: DeniedNode[] = [];
    expect(denyAndRetry(denied, () => refusing([3, 5], denied))).toBe('runs without 3,5');
    expect(denied[1]).toEqual({ node: 5, reason: 'node 5 is too hard' });
  });

  it('does the same with promises', async () => {
    const denied: DeniedNode[] = [];
    await expect(denyAndRetry(denied, async () => refusing([3, 5], denied))).resolves.toBe('runs without 3,5');
  });

  it('ends after eight refusals, and where leaving out a node is of no use', async () => {
    const many = Array.from({ length: 20 }, (_, node) => node);
    const denied: DeniedNode[] = [];
    expect(() => denyAndRetry(denied, () => refusing(many, denied))).toThrow('node 8 is too hard');
    expect(denied).toHaveLength(8);
    const nameless = async () => {
      throw new WebnnBuildError('no node named', null);
    };
    await expect(denyAndRetry([], nameless)).rejects.toThrow('no node named');
  });
});
