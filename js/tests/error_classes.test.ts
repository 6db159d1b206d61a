/** The error classes of all entries together. */

import * as litert from '@tflite-webnn/compat-litert';
import * as vision from '@tflite-webnn/compat-mediapipe';
import * as tfjs from '@tflite-webnn/compat-tfjs';
import * as cpu from '@tflite-webnn/cpu';
import * as image from '@tflite-webnn/media/images';
import * as results from '@tflite-webnn/media/results';
import * as sound from '@tflite-webnn/media/sound';
import * as tasks from '@tflite-webnn/tasks';
import * as language from '@tflite-webnn/tasks/language';
import * as text from '@tflite-webnn/tasks/text';
import * as index from 'tflite-webnn';
import * as explain from 'tflite-webnn/explain';
import * as metadata from 'tflite-webnn/metadata';
import * as node from 'tflite-webnn/node';
import * as worker from 'tflite-webnn/worker';
import { expect, it } from 'vitest';
import * as polyfill from '../packages/webnn-polyfill/src/polyfill.js';

const MAX_CLASSES = 30;

const ENTRIES = [
  index,
  metadata,
  worker,
  image,
  language,
  results,
  sound,
  tasks,
  text,
  vision,
  cpu,
  litert,
  explain,
  node,
  tfjs,
  polyfill,
];

const isErrorClass = (value: unknown) => typeof value === 'function' && value.prototype instanceof Error;

it(`are at most ${MAX_CLASSES}, and each has its name, a code and details`, () => {
  const exported = ENTRIES.flatMap((entry) => Object.entries(entry)).filter(([, value]) => isErrorClass(value));
  const names = new Set(exported.map(([name]) => name));
  expect([...names].sort()).toHaveLength(Math.min(names.size, MAX_CLASSES));
  for (const [name, ErrorClass] of exported) {
    const error = new (ErrorClass as new (...provided: unknown[]) => Error)('CODE', Object('message'));
    expect(error).toBeInstanceOf(index.TFLiteWebnnError);
    if (name !== 'CodedError') expect(error.name).toBe(name);
    if (name === 'TFLiteWebnnError') continue; // the base class of all
    expect(error).toMatchObject({ code: expect.stringMatching(/^[A-Z0-9_]+$/), details: expect.any(Object) });
  }
});
