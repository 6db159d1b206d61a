import { describe, expect, it } from 'vitest';
import type { ModelDescription } from '../src/description.js';
import { makeSchedule, scheduleText } from '../src/execution/schedule.js';
import { DIRECT, floatTensor, ON_CPU, STEPPED } from './fakes/sin_model.js';

/** The schedule as one text that starts with its mode. */
function textOf(description: ModelDescription): string[] {
  const schedule = makeSchedule(description);
  return [schedule.mode, ...scheduleText(schedule).split('\n')];
}

describe('makeSchedule', () => {
  it('runs a wholly delegated model without the heap', () => {
    expect(textOf(DIRECT)).toEqual(['direct', 't0 caller -> webnn', 'dispatch graph 0', 't5 webnn -> caller']);
    expect(makeSchedule(DIRECT).usesHeap).toBe(false);
  });

  it("runs a model on the CPU by TFLite's own Invoke()", () => {
    expect(textOf(ON_CPU)).toEqual(['cpu', 't0 caller -> heap', 'invoke', 't5 heap -> caller']);
  });

  it('copies a tensor only where it is needed and not yet there', () => {
    expect(textOf(STEPPED)).toEqual([
      'stepped',
      't0 caller -> webnn',
      'dispatch graph 0',
      't1 webnn -> heap',
      't0 caller -> heap',
      'invoke steps 1..2',
      't3 heap -> webnn',
      'dispatch graph 1',
      't4 webnn -> heap',
      'invoke steps 4..4',
      't5 heap -> caller',
    ]);
  });

  it('keeps a tensor of two neighbouring graphs on WebNN', () => {
    const [first, second] = STEPPED.graphs;
    const chained: ModelDescription = {
      ...STEPPED,
      outputs: [floatTensor(4, 'y')],
      plan: [
        { kind: 'webnn', graph: 0, inputs: [0], outputs: [3] },
        { kind: 'webnn', graph: 1, inputs: [3], outputs: [4] },
      ],
      graphs: [
        { ...first, outputs: second?.inputs } as ModelDescription['graphs'][number],
        second as ModelDescription['graphs'][number],
      ],
    };
    expect(textOf(chained)).toEqual([
      'stepped',
      't0 caller -> webnn',
      'dispatch graph 0',
      'dispatch graph 1',
      't4 webnn -> caller',
    ]);
    expect(makeSchedule(chained).usesHeap).toBe(false);
  });

  it('gives outputs that no step makes: an input, a constant', () => {
    const outputs = [floatTensor(5, 'y'), floatTensor(0, 'x'), floatTensor(7, 'constant')];
    expect(textOf({ ...DIRECT, outputs })).toEqual([
      'stepped',
      't0 caller -> webnn',
      'dispatch graph 0',
      't5 webnn -> caller',
      't0 caller -> heap',
      't0 heap -> caller',
      't7 heap -> caller',
    ]);
  });
});
