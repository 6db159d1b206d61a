import { describe, expect, it, vi } from 'vitest';
import { DelegateOptionError, parseDelegateOptions } from '../src/delegate_options.js';
import { chooseVariant } from '../src/embedded_wasm.js';

describe('parseDelegateOptions', () => {
  it("accepts strings by Python's names", () => {
    const provided = {
      device_preference: 'npu',
      max_partitions: '12',
      ignore_partition_cost: 'True',
      excluded_ops: 'ADD,MUL',
    };
    expect(parseDelegateOptions(provided)).toEqual({
      devicePreference: 'npu',
      maxPartitions: 12,
      ignorePartitionCost: true,
      excludedOps: ['ADD', 'MUL'],
    });
    expect(parseDelegateOptions({})).toEqual({});
  });

  it.each([
    ['devicePreference', 'gpu', 'there is no option "devicePreference": did you mean device_preference?'],
    ['blocking', 'True', 'there is no option "blocking": it is one of device_preference, power_preference, '],
    ['power_preference', 'high', 'is one of default, high-performance, low-power; got "high"'],
    ['max_partitions', '-1', 'is an integer, 0 or more; got "-1"'],
    ['ignore_partition_cost', 'constructor', 'is True or False'],
    ['allowed_ops', '', 'is a list of TFLite ops'],
  ])('rejects %s: %s', (key, value, message) => {
    expect(() => parseDelegateOptions({ [key]: value })).toThrow(DelegateOptionError);
    expect(() => parseDelegateOptions({ [key]: value })).toThrow(message);
  });
});

describe('chooseVariant', () => {
  it('accepts relaxed SIMD if WebAssembly has it', () => {
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(true);
    expect(chooseVariant()).toBe('relaxed-simd');
  });

  it('falls back to SIMD, which this Node has', () => {
    const probes = vi.spyOn(WebAssembly, 'validate');
    chooseVariant();
    expect(probes.mock.results[0]?.value).toBe(true);
    probes.mockReturnValueOnce(true).mockReturnValueOnce(false);
    expect(chooseVariant()).toBe('simd');
  });

  it('names the required browsers', () => {
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
    expect(() => chooseVariant()).toThrow(expect.objectContaining({ name: 'WasmLoadError', code: 'WASM_LOAD_FAILED' }));
  });
});
