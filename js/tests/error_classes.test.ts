/** The error classes of all entries together. */

import * as index from 'tflite-webnn';
import * as image from 'tflite-webnn/image';
import * as language from 'tflite-webnn/language';
import * as metadata from 'tflite-webnn/metadata';
import * as results from 'tflite-webnn/results';
import * as sound from 'tflite-webnn/sound';
import * as tasks from 'tflite-webnn/tasks';
import * as text from 'tflite-webnn/text';
import * as vision from 'tflite-webnn/vision';
import * as worker from 'tflite-webnn/worker';
import { expect, it } from 'vitest';
import * as litert from '../packages/compat-litert/src/index.js';
import * as tfjs from '../packages/compat-tfjs/src/index.js';
import * as explain from '../packages/core/src/explain.js';
import * as node from '../packages/core/src/node.js';
import * as cpu from '../packages/cpu/src/index.js';
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
    const error = new (ErrorClass as new (...given: unknown[]) => Error)('CODE', Object('message'));
    expect(error).toBeInstanceOf(index.TFLiteWebnnError);
    if (name !== 'CodedError') expect(error.name).toBe(name);
    if (name === 'TFLiteWebnnError') continue; // the base class of all
    expect(error).toMatchObject({ code: expect.stringMatching(/^[A-Z0-9_]+$/), details: expect.any(Object) });
  }
});
