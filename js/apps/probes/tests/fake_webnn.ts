/** A WebNN whose operators are named for what they do to it. */

import type { Webnn } from '../src/webnn.js';

const LIMITS = { dataTypes: ['float32'], rankRange: { min: 1, max: 1 } };
/** As Chromium, which creates no context after the third crash. */
const MAX_CRASHES = 3;

/** `works`, `rejected`, `wrong` and `crashing` are its operators. */
export function fakeWebnn(): { webnn: Webnn; calls: string[] } {
  const calls: string[] = [];
  let crashes = 0;
  const createContext = async () => {
    if (crashes >= MAX_CRASHES) throw new Error('WebNN is disabled');
    let lose: (info: { message: string }) => void = () => {};
    const lost = new Promise((resolve) => {
      lose = resolve;
    });
    const operators = Object.fromEntries(
      ['crashing', 'rejected', 'works', 'wrong'].map((op) => [op, { input: LIMITS, output: LIMITS }]),
    );
    return {
      lost,
      crash() {
        crashes += 1;
        lose({ message: 'connection error' });
      },
      opSupportLimits: () => operators,
      createTensor: async () => ({ destroy() {} }),
      writeTensor() {},
      dispatch() {},
      readTensor: async () => Float32Array.of(calls.at(-1) === 'wrong' ? 2 : 1).buffer,
      destroy() {},
    };
  };
  class Builder {
    readonly #context: { crash(): void };
    constructor(context: { crash(): void }) {
      this.#context = context;
    }
    input = () => ({ dataType: 'float32', shape: [1] });
    relu = this.input;
    works = () => this.#call('works');
    wrong = () => this.#call('wrong');
    rejected = () => {
      throw new TypeError('no');
    };
    crashing = () => {
      this.#context.crash();
      return this.#call('crashing');
    };
    build = async () => {
      if (calls.at(-1) === 'crashing') await new Promise(() => {});
      return { devices: ['cpu'], destroy() {} };
    };
    #call(op: string) {
      calls.push(op);
      return this.input();
    }
  }
  const webnn = { ml: { createContext }, MLGraphBuilder: Builder } as unknown as Webnn;
  return { webnn, calls };
}
