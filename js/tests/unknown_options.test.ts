/** Each function rejects options that it does not have, and names the nearest one; `option` of the error has the name. */

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
import { OF_IMAGE, OF_RESULTS, OF_SOUND, OF_TEXT } from './arguments/of_helpers.js';
import { OF_TFJS } from './arguments/of_methods.js';
import { OF_EXPLAIN } from './arguments/of_runtime.js';
import { OF_TASK_METHODS, OF_TASKS, TASK_METHODS } from './arguments/of_tasks.js';
import type { Calls } from './arguments/wrong_arguments.js';

type Export = (...given: unknown[]) => unknown;

const ENTRIES: readonly (readonly [exports: object, calls: Calls])[] = [
  [image, OF_IMAGE],
  [results, OF_RESULTS],
  [sound, OF_SOUND],
  [text, OF_TEXT],
  [explain, OF_EXPLAIN],
  [tfjs, OF_TFJS],
  [tasks, OF_TASKS],
  [TASK_METHODS, OF_TASK_METHODS],
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
    const given = fresh();
    const options = { ...given[option], unknownOption: 1 };
    const error = await errorOf(() => call(...Object.values({ ...given, [option]: options })));
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
