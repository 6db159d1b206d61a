import { OptionError, WorkerFailedError } from 'tflite-webnn';
import { TFLiteWorker as NodeTFLiteWorker } from 'tflite-webnn/node';
import { TFLiteWorker } from 'tflite-webnn/worker';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startHelperWorker } from '../src/blocking/blocking_helper.js';
import { startPackagedWorker, startWorker } from '../src/support/start_worker.js';

const PAGE = 'https://page.example/';
const started: string[] = [];

beforeEach(() => {
  vi.stubGlobal('origin', 'https://page.example');
  vi.stubGlobal(
    'Worker',
    class {
      constructor(url: string) {
        started.push(url);
      }
      addEventListener() {}
    },
  );
});

afterEach(() => {
  started.length = 0;
});

it('starts a script of the page directly', () => {
  startWorker('https://page.example/worker.mjs', PAGE, 'a');
  startWorker('data:text/javascript,1', PAGE, 'a');
  expect(started).toEqual(['https://page.example/worker.mjs', 'data:text/javascript,1']);
});

it('starts a script of another origin from one blob that imports it', async () => {
  for (const name of ['a', 'b']) startWorker('https://cdn.example/worker.mjs', PAGE, name);
  const [first, second] = started;
  expect(first).toMatch(/^blob:/);
  expect(second).toBe(first);
  expect(await (await fetch(first as string)).text()).toBe('import "https://cdn.example/worker.mjs"');
});

it.each([
  ['https://page.example/worker.mjs', 'own'],
  ['https://cdn.example/index.mjs', 'blob'],
  ['webpack:///index.mjs', 'own'],
  ['', 'own'],
])('starts a worker of the package from %j in browsers without URL.canParse()', (base, expected) => {
  vi.stubGlobal('URL', Object.assign(class extends URL {}, { canParse: undefined }));
  const start = () => new Worker('own');
  startPackagedWorker(start, './worker.mjs', base, 'a');
  expect(started[0]?.split(':')[0]).toBe(expected);
});

it.each([
  ['TFLiteWorker', () => new TFLiteWorker({ url: 'https://page.example/worker.mjs' })],
  ['the helper', () => startHelperWorker('https://page.example/webnn_helper.mjs')],
])('reports a forbidden worker with the next step: %s', (_, start) => {
  vi.stubGlobal('Worker', function reject() {
    throw new DOMException('no workers here', 'SecurityError');
  });
  expect(start).toThrow(WorkerFailedError);
  expect(start).toThrow(/no workers here.*worker-src/);
});

it.each([
  ['TFLiteWorker', (url: string) => new NodeTFLiteWorker({ url })],
  [
    'the helper',
    (url: string) => {
      vi.stubGlobal('Worker', undefined); // as in Node
      return startHelperWorker(url);
    },
  ],
])('in Node, accepts files only, and says so: %s', (_, start) => {
  expect(() => start('https://cdn.example/worker.mjs')).toThrow(WorkerFailedError);
  expect(() => start('https://cdn.example/worker.mjs')).toThrow(/Pass a local file/);
  expect(() => start('http://[')).toThrow(WorkerFailedError);
  expect(() => start('http://[')).toThrow(/Invalid URL/);
});

it('says what is missing in a worker without workers', () => {
  vi.stubGlobal('Worker', undefined);
  expect(() => new TFLiteWorker({ url: 'https://page.example/worker.mjs' })).toThrow(/no SharedWorker/);
});

it('names what is no address', () => {
  expect(() => new TFLiteWorker({ url: 'http://[' })).toThrow(OptionError);
  expect(() => new TFLiteWorker({ url: 'http://[' })).toThrow(/is not a complete address/);
  expect(() => startHelperWorker('http://[')).toThrow(WorkerFailedError);
});
