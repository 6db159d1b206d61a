/** Shared by the tests of the tflite engine: a worker in this thread, a graph. */

import { MessageChannel } from 'node:worker_threads';
import * as comlink from 'comlink';
import { type EngineContext, type RecordedGraph, type RecordedOperator, tfliteEngine } from 'webnn-polyfill';
import { WASM } from '../../../../built_module.js';
import { EngineWorker } from '../../src/tflite/engine/engine_workers.js';
import { openTimeline } from '../../src/tflite/engine/timeline_server.js';

export const FLOATS = { dataType: 'float32', shape: [4] } as const;

export function bytes(...values: number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}

export async function values(read: Uint8Array | Promise<Uint8Array>): Promise<number[]> {
  return Array.from(new Float32Array((await read).slice().buffer));
}

/** y = x + c, where c is constant. */
export function sumGraph(constant: Uint8Array, op = 'add'): RecordedGraph {
  const operator: RecordedOperator = { op, label: '', operands: { a: 0, b: 1 }, attributes: {}, outputs: [2] };
  return {
    operands: [FLOATS, FLOATS, FLOATS],
    inputs: [{ name: 'x', operand: 0 }],
    constants: [{ operand: 1, bytes: constant }],
    operators: [operator],
    outputs: [{ name: 'y', operand: 2 }],
  };
}

/** A context that computes in this thread. */
export function openEngine(): Promise<EngineContext> {
  return tfliteEngine({ ...WASM, thread: 'own' }).open({ powerPreference: 'default', accelerated: false });
}

/** A fake worker, which computes in this thread. */
export function fakeWorker(): Worker {
  const { port1, port2 } = new MessageChannel();
  comlink.expose(openTimeline, port1 as unknown as comlink.Endpoint);
  port2.start();
  return Object.assign(port2, {
    terminate() {
      port1.close();
      port2.close();
    },
  }) as unknown as Worker;
}

export function hostedWorker(): EngineWorker {
  return new EngineWorker(fakeWorker());
}
