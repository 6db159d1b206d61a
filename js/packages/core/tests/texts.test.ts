/** Everything that is written as text or read from it: support limits, errors, options, dtypes. */

import {
  type DType,
  InputError,
  InterpreterError,
  MalformedModelError,
  ModelFetchError,
  NotATFLiteModelError,
  TFLiteWebnnError,
  UnsupportedOpError,
} from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import { holdsDType, typedArrayConstructor, webnnDataType } from '../src/dtypes.js';
import { errorFromRunner } from '../src/errors.js';
import { onWebnn, runnerOptions } from '../src/model/runner_options.js';
import { opSupportLimitsText } from '../src/webnn/delegate_context.js';

describe('opSupportLimitsText', () => {
  it('writes one line per operand', () => {
    const limits = {
      preferredInputLayout: 'nchw',
      maxTensorByteLength: 2147483647,
      input: { dataTypes: ['float32', 'float16'], rankRange: { min: 0, max: 5 } },
      constant: { dataTypes: ['float32', 'int4'] },
      conv2d: {
        input: { dataTypes: ['float32'], rankRange: { min: 4, max: 4 } },
        bias: { dataTypes: [], rankRange: { min: 1, max: 1 } },
      },
      concat: { inputs: { dataTypes: ['int8'] }, output: { dataTypes: ['int8'] } },
    };
    expect(opSupportLimitsText(limits)).toBe(
      [
        'preferredInputLayout nchw',
        'maxTensorByteLength 2147483647',
        'input float32,float16 0 5',
        'constant float32,int4 0 8',
        'conv2d.input float32 4 4',
        'conv2d.bias - 1 1',
        'concat.inputs int8 0 8',
        'concat.output int8 0 8',
        '',
      ].join('\n'),
    );
  });

  it('leaves out what it does not know', () => {
    expect(opSupportLimitsText({ someFlag: true, someNumber: 3, add: { note: 'text' }, nothing: null })).toBe('');
  });
});

describe('errors', () => {
  it.each([
    ['NOT_A_TFLITE_MODEL', NotATFLiteModelError],
    ['MALFORMED_MODEL', MalformedModelError],
    ['FLEX_OP', UnsupportedOpError],
    ['EDGE_TPU_OP', UnsupportedOpError],
    ['OPS_NOT_IN_BUILD', UnsupportedOpError],
    ['UNRESOLVED_CUSTOM_OP', UnsupportedOpError],
    ['UNSUPPORTED_SCHEMA_VERSION', InterpreterError],
    ['INVOKE_FAILED', InterpreterError],
  ])('%s of the runner has its class', (code, errorClass) => {
    const error = errorFromRunner(JSON.stringify({ code, message: 'm', details: { node: 3 } }), 'Loading');
    expect(error).toBeInstanceOf(errorClass);
    expect(error).toBeInstanceOf(TFLiteWebnnError);
    expect(error).toMatchObject({ name: errorClass.name, code, message: 'm', details: { node: 3 } });
  });

  it('say so when the runner knows nothing', () => {
    expect(errorFromRunner('', 'Loading the model').message).toContain('Loading the model failed');
  });

  it('have names that survive minification', () => {
    expect(new ModelFetchError('m', 404)).toMatchObject({ name: 'ModelFetchError', status: 404 });
    expect(new InputError('INPUT_SHAPE', 'm').code).toBe('INPUT_SHAPE');
  });
});

describe('runner options', () => {
  it('carry what the user chose', () => {
    const webnnDelegateOptions = {
      devicePreference: 'npu',
      powerPreference: 'low-power',
      maxPartitions: 2,
      minNodesPerPartition: 3,
      ignorePartitionCost: true,
      allowedOps: ['SIN', 'ADD'],
      excludedOps: ['MUL'],
      workarounds: ['gemm_nan', 'concat_rank'],
    } as const;
    const options = runnerOptions({ webnnDelegateOptions, enableXnnpackDelegate: false });
    const excluded = [4, 5].map((node) => ({ node, reason: 'rejected' }));
    expect(onWebnn(options, { limits: { maxTensorByteLength: 8 }, backend: null }, excluded)).toEqual({
      enable_xnnpack_delegate: false,
      enable_webnn_delegate: true,
      webnn_op_support_limits: 'maxTensorByteLength 8\n',
      webnn_allowed_ops: 'SIN,ADD',
      webnn_excluded_ops: 'MUL',
      webnn_workarounds: 'gemm_nan,concat_rank',
      webnn_excluded_nodes: '4,5',
      webnn_max_partitions: '2',
      webnn_min_nodes_per_partition: '3',
      webnn_ignore_partition_cost: 'true',
    });
    expect(runnerOptions({})).toEqual({ enable_xnnpack_delegate: true });
  });
});

describe('dtypes', () => {
  it('form one table', () => {
    const rows: Record<DType, readonly [string | null, string | null]> = {
      float32: ['float32', 'Float32Array'],
      float16: ['float16', 'Float16Array' in globalThis ? 'Float16Array' : 'Uint16Array'],
      float64: [null, 'Float64Array'],
      int8: ['int8', 'Int8Array'],
      uint8: ['uint8', 'Uint8Array'],
      int16: [null, 'Int16Array'],
      uint16: [null, 'Uint16Array'],
      int32: ['int32', 'Int32Array'],
      uint32: ['uint32', 'Uint32Array'],
      int64: ['int64', 'BigInt64Array'],
      uint64: ['uint64', 'BigUint64Array'],
      bool: ['uint8', 'Uint8Array'],
      int4: ['int4', null],
      uint4: ['uint4', null],
      int2: [null, null],
      bfloat16: [null, null],
      complex64: [null, 'Float32Array'],
      complex128: [null, 'Float64Array'],
      string: [null, 'Uint8Array'],
      resource: [null, null],
      variant: [null, null],
    };
    for (const [dtype, row] of Object.entries(rows) as [DType, readonly (string | null)[]][]) {
      expect([webnnDataType(dtype), typedArrayConstructor(dtype)?.name ?? null], dtype).toEqual(row);
    }
  });

  it('each have their type of array', () => {
    expect(holdsDType(new Uint16Array(1), 'float16')).toBe(true);
    expect(holdsDType(new Uint8Array(1), 'bool')).toBe(true);
    expect(holdsDType(new Uint8Array(1), 'int8')).toBe(false);
    expect(holdsDType(new Int8Array(1), 'string')).toBe(false);
    expect(holdsDType(new Uint8Array(1), 'a type of tomorrow')).toBe(false);
  });
});
