/** Replacements of globals that AudioWorklets lack; js/scripts/bundling injects them. */

export const performance: Pick<Performance, 'now'> = globalThis.performance ?? { now: () => Date.now() };

/** Seeds of TFLite's random ops, and of hash tables. */
export const crypto: Pick<Crypto, 'getRandomValues'> = globalThis.crypto ?? {
  getRandomValues: <Bytes extends ArrayBufferView>(bytes: Bytes) => {
    const { buffer, byteOffset, byteLength } = bytes;
    new Uint8Array(buffer, byteOffset, byteLength).forEach((_, i, all) => {
      all[i] = Math.random() * 256;
    });
    return bytes;
  },
};
