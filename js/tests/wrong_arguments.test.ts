/** Each export, called with wrong arguments, throws an error of the package or gives a right answer. */

import { TFLiteWebnnError } from 'tflite-webnn';
import * as image from 'tflite-webnn/image';
import * as results from 'tflite-webnn/results';
import * as sound from 'tflite-webnn/sound';
import * as text from 'tflite-webnn/text';
import { describe, expect, it } from 'vitest';
import { OF_IMAGE, OF_RESULTS, OF_SOUND, OF_TEXT } from './arguments/of_helpers.js';
import { type Calls, hasNaN, isOfAnotherKind, shown, type WrongCall, wrongCalls } from './arguments/wrong_arguments.js';

type Export = (...given: unknown[]) => unknown;

const ENTRIES: Readonly<Record<string, readonly [exports: object, calls: Calls]>> = {
  image: [image, OF_IMAGE],
  results: [results, OF_RESULTS],
  sound: [sound, OF_SOUND],
  text: [text, OF_TEXT],
};

/** What is wrong with the answer to a wrong call; null where nothing is. */
async function problemOf(call: Export, wrong: WrongCall): Promise<string | null> {
  try {
    const answer = await call(...wrong.given);
    if (isOfAnotherKind(wrong)) return 'is accepted';
    return hasNaN(answer) && !Number.isNaN(wrong.wrong) && wrong.wrong !== Infinity ? 'gives NaN' : null;
  } catch (error) {
    if (!(error instanceof TFLiteWebnnError)) return `throws ${error}`;
    const names = new RegExp(wrong.path.filter((name) => !/^\d+$/.test(name)).join('|'), 'i');
    return names.test(error.message) ? null : `does not name the argument: ${error.message}`;
  }
}

function isError(value: unknown): boolean {
  return typeof value === 'function' && value.prototype instanceof Error;
}

describe.each(Object.entries(ENTRIES))('%s', (_, [exports, calls]) => {
  const names = Object.keys(exports).filter((name) => !isError(exports[name as never]));

  it('has a row for each export', () => {
    expect(Object.keys(calls).sort()).toEqual(names.sort());
  });

  it.each(Object.entries(calls).filter(([, fresh]) => typeof fresh === 'function'))('%s()', async (name, row) => {
    const call = exports[name as never] as Export;
    const fresh = row as () => Readonly<Record<string, unknown>>;
    await call(...Object.values(fresh()));
    const problems: string[] = [];
    for (const wrong of wrongCalls(fresh)) {
      const problem = await problemOf(call, wrong);
      if (problem !== null) problems.push(`${shown(wrong)} ${problem}`);
    }
    expect(problems).toEqual([]);
  });
});
