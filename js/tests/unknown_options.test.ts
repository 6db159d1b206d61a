/**
 * Each function rejects options that it does not have, and names the nearest one; `option` of the error has the name.
 */

import * as tfjs from '@tflite-webnn/compat-tfjs';
import * as image from '@tflite-webnn/media/images';
import * as results from '@tflite-webnn/media/results';
import * as sound from '@tflite-webnn/media/sound';
import * as tasks from '@tflite-webnn/tasks';
import * as text from '@tflite-webnn/tasks/text';
import { OptionError } from 'tflite-webnn';
import * as explain from 'tflite-webnn/explain';
import { describe, expect, it } from 'vitest';
import { DROP_IN_METHODS } from './arguments/of_drop_ins.js';
import { IMAGE_CALLS, RESULTS_CALLS, SOUND_CALLS, TEXT_CALLS } from './arguments/of_helpers.js';
import { TFJS_CALLS } from './arguments/of_methods.js';
import { EXPLAIN_CALLS } from './arguments/of_runtime.js';
import { TASK_METHODS, TASK_METHODS_CALLS, TASKS_CALLS } from './arguments/of_tasks.js';
import type { Calls } from './arguments/wrong_arguments.js';

type Export = (...provided: unknown[]) => unknown;

const ENTRIES: readonly (readonly [exports: object, calls: Calls])[] = [
  [image, IMAGE_CALLS],
  [results, RESULTS_CALLS],
  [sound, SOUND_CALLS],
  [text, TEXT_CALLS],
  [explain, EXPLAIN_CALLS],
  [tfjs, TFJS_CALLS],
  [tasks, TASKS_CALLS],
  [TASK_METHODS, TASK_METHODS_CALLS],
  ...Object.entries(DROP_IN_METHODS).flatMap(([name, row]) => (name.includes(' of vision') ? [row] : [])),
];

/** Functions whose right arguments have options, with these arguments. */
const CALLS = ENTRIES.flatMap(([exports, calls]) =>
  Object.entries(calls).flatMap(([name, fresh]) => {
    const call = (exports as Readonly<Record<string, unknown>>)[name];
    if (typeof fresh !== 'function' || typeof call !== 'function') return [];
    const option = ['options', 'processing'].find((argument) => argument in fresh());
    return option === undefined
      ? []
      : [[name, call as Export, fresh as () => Readonly<Record<string, object>>, option] as const];
  }),
);

async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return error;
  }
}

describe('an unknown option', () => {
  it('is tried on each function that has options', () => {
    expect(CALLS.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'bestCategories',
        'imageOptionsOf',
        'imageToTensor',
        'topK',
        'soundWindows',
        'bertInputs',
        'classifyImage',
        'detectForVideo',
      ]),
    );
    expect(CALLS.length).toBeGreaterThan(15);
  });

  it.each(CALLS)('of %s()', async (_, call, fresh, option) => {
    const provided = fresh();
    const options = { ...provided[option], unknownOption: 1 };
    const error = await errorOf(() => call(...Object.values({ ...provided, [option]: options })));
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({ option: 'unknownOption', code: 'OPTION' });
    expect((error as Error).message).toContain('there is no option "unknownOption": it is one of ');
  });

  it.each([
    ['readSound', () => sound.readSound(new Uint8Array(4), { sampleRate: 16_000, maxSecond: 3 } as never), 'maxSecond'],
    ['resampleSound', () => sound.resampleSound({} as never, 16_000, { signals: 3 } as never), 'signals'],
    ['topK', () => results.topK({ data: [1], shape: [1, 1] }, { treshold: 0.5 } as never), 'treshold'],
  ])('of %s() that is misspelt: the nearest one is named', async (name, call, option) => {
    const error = await errorOf(call);
    expect(error).toMatchObject({ name: 'OptionError', option });
    expect((error as Error).message).toMatch(
      new RegExp(`^${name}\\(\\): there is no option "${option}": did you mean`),
    );
  });
});

it('a wrong value names its option', async () => {
  const scores = { data: [1], shape: [1, 1] };
  expect(await errorOf(() => results.topK(scores, { k: 'all' } as never))).toMatchObject({ option: 'k' });
  expect(await errorOf(() => results.topK(scores, null as never))).toMatchObject({ option: 'options' });
  const error = await errorOf(() => image.toImage({} as never, { x: 0, y: 0 }));
  expect(error).toMatchObject({ option: 'placement.image' });
  expect(new OptionError('both').option).toBeNull();
});
