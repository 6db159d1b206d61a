import type { MLOpSupportLimits } from 'tflite-webnn';
import { type BlockingHelper, HelperContext } from 'tflite-webnn/blocking/blocking_helper';
import { describe, expect, it, vi } from 'vitest';
import { ProgramHost } from '../src/program_host.js';

const LIMITS = { relu: { input: { dataTypes: ['float32'], rankRange: { min: 0, max: 5 } } } };

function hostOn(opened: 'context' | string, backend: string | null = null) {
  let lastNumber = 0;
  const open = vi.fn((request: object): HelperContext | string => {
    if (opened !== 'context') return opened;
    const limits = LIMITS as unknown as MLOpSupportLimits;
    return new HelperContext({} as BlockingHelper, ++lastNumber, request, limits, backend);
  });
  const printError = vi.fn();
  return { host: new ProgramHost({ open } as unknown as BlockingHelper, 'never', printError), open, printError };
}

describe('ProgramHost', () => {
  it('opens one context for each pair of preferences', () => {
    const { host, open } = hostOn('context');
    const numbers = [host.open(0, 0), host.open(1, 2), host.open(0, 0)];
    expect(numbers).toEqual([1, 2, 1]);
    expect(open.mock.calls.map(([request]) => request)).toEqual([
      { devicePreference: 'default', powerPreference: 'default', polyfill: 'never' },
      { devicePreference: 'gpu', powerPreference: 'low-power', polyfill: 'never' },
    ]);
  });

  it("returns a context's limits in the delegate's format", () => {
    const { host } = hostOn('context');
    expect(host.limitsText(host.open(0, 0))).toBe('relu.input float32 0 5\n');
    expect(host.limitsText(7)).toBe('');
  });

  it("names the bugs of a browser, and none of the polyfill's", () => {
    const { host } = hostOn('context');
    vi.stubGlobal('navigator', { userAgent: 'Chrome/147.0.0.0' });
    expect(host.workarounds(host.open(0, 0)).split(',')).toContain('transpose_pairs');
    expect(host.workarounds(7)).toBe('');
    const { host: onPolyfill } = hostOn('context', 'tflite');
    expect(onPolyfill.workarounds(onPolyfill.open(0, 0))).toBe('');
  });

  it('prints why there is no context', () => {
    const { host, printError } = hostOn('navigator.ml is missing');
    expect(host.open(0, 0)).toBe(0);
    expect(host.open(9, 0)).toBe(0);
    expect(printError.mock.calls.flat()).toEqual([
      'WebNN: navigator.ml is missing',
      'WebNN: there is no device preference 9 with power preference 0',
    ]);
  });

  it('prints why a graph fails, and counts the attempts', () => {
    const { host, printError } = hostOn('context');
    expect(host.build(host.open(0, 0), 'no JSON')).toBe(0);
    expect(printError.mock.calls[0]?.[0]).toMatch(/^WebNN: /);
    expect(host.dispatch(99, 0, 0)).not.toBe(0);
    expect(host.dispatchCount).toBe(1);
  });
});
