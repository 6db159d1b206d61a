/** The end of things: `using`, and that nothing can be used afterwards. */

import { CpuModel } from '@tflite-webnn/cpu';
import * as comlink from 'comlink';
import { ModelDisposedError } from 'tflite-webnn';
import { TFLiteWorker } from 'tflite-webnn/worker';
import { afterEach, describe, expect, it } from 'vitest';
import { WasmRunner } from '../src/wasm/wasm_runner.js';
import { makeModelServer } from '../src/worker/model_server.js';
import { FakeWasm } from './fakes/fake_wasm.js';
import { FakeContext } from './fakes/fake_webnn.js';
import { loadOn } from './fakes/load_fake.js';
import { TOTAL_DIRECT, TOTAL_ON_CPU, totalRunner } from './fakes/total_model.js';

const INTERNAL = [
  'checkUsable',
  'closeRings',
  'id',
  'openRing',
  'placing',
  'prepared',
  'recover',
  'release',
  'start',
  'subgraphs',
  'track',
];
const ports: MessagePort[] = [];

const onWebnn = () => loadOn([new FakeContext()], totalRunner(TOTAL_DIRECT));
const onCpu = () => loadOn([], totalRunner(TOTAL_ON_CPU), { enableWebnnDelegate: false });

function worker(): TFLiteWorker {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  comlink.expose(makeModelServer(onWebnn), port1 as unknown as comlink.Endpoint);
  return new TFLiteWorker({ worker: Object.assign(port2, { terminate: () => undefined }) as unknown as Worker });
}

const inWorker = () => worker().loadTFLiteModel(new Uint8Array(8));
const cpuModel = () =>
  CpuModel.of(new WasmRunner(new FakeWasm(totalRunner(TOTAL_ON_CPU)).instantiateNow(), new Uint8Array(8), {}));

interface Disposable {
  dispose(): unknown;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}

const ALL: Readonly<Record<string, () => Disposable | Promise<Disposable>>> = {
  'a model on WebNN': onWebnn,
  'a model on the CPU': onCpu,
  'a model in a worker': inWorker,
  'a model of cpu.mjs': cpuModel,
  'a state': async () => (await onCpu()).createState(),
  'a state in a worker': async () => (await inWorker()).createState(),
  'a worker': worker,
};

/** Members of an object and of its classes, but those that end it or are internal. */
function membersOf(object: object): string[] {
  const own = Object.getPrototypeOf(object) as object;
  if (own === Object.prototype) return [];
  const names = Object.getOwnPropertyNames(own).filter(
    (name) => !['constructor', 'dispose', ...INTERNAL].includes(name),
  );
  return [...names, ...membersOf(own)];
}

/** A source of a model, or of a stream, where a member expects one. */
async function use(object: object, name: string): Promise<unknown> {
  const member = (object as Record<string, unknown>)[name];
  return typeof member === 'function' ? (member.call(object, new Uint8Array(8)) as unknown) : member;
}

afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

describe.each(Object.entries(ALL))('%s', (_, make) => {
  it('ends with dispose(), with `using` and with `await using`', async () => {
    const disposed = await make();
    await disposed.dispose();
    await disposed.dispose();
    const kept: Disposable[] = [disposed];
    const used = async () => {
      using one = await make();
      await using other = await make();
      kept.push(one, other);
    };
    await used();
    for (const object of kept) {
      const members = membersOf(object);
      expect(members).not.toEqual([]);
      for (const name of members) await expect(use(object, name), name).rejects.toThrow(ModelDisposedError);
    }
  });
});

it('a model finishes the run in flight before it ends', async () => {
  for (const make of [onWebnn, onCpu, inWorker]) {
    const model = await make();
    const run = model.run({ x: new Float32Array(4), total: new Float32Array(4) });
    const ended = model.dispose();
    expect(Object.keys(await run)).toEqual(['y', 'total']);
    await ended;
  }
});
