/**
 * The part of WebNN that the runtime uses is a part of the IDL: what a browser has by the IDL fits. `tsc` checks it.
 */

import { expectTypeOf, it } from 'vitest';
import type * as idl from 'webnn-polyfill';
import type * as used from '../src/webnn_types.js';

it('accepts what the IDL describes', () => {
  expectTypeOf<idl.MLContext>().toExtend<used.MLContext>();
  expectTypeOf<idl.MLGraph>().toExtend<used.MLGraph>();
  expectTypeOf<idl.MLTensor>().toExtend<used.MLTensor>();
  expectTypeOf<idl.MLOperand>().toExtend<used.MLOperand>();
  expectTypeOf<idl.MLGraphBuilder>().toExtend<used.MLGraphBuilder>();
  expectTypeOf<idl.MLContextLostInfo>().toExtend<used.MLContextLostInfo>();
});

it('has what the IDL accepts', () => {
  expectTypeOf<used.MLOperandDataType>().toEqualTypeOf<idl.MLOperandDataType>();
  expectTypeOf<used.MLOperandDescriptor>().toExtend<idl.MLOperandDescriptor>();
  expectTypeOf<used.MLTensorDescriptor>().toExtend<idl.MLTensorDescriptor>();
  expectTypeOf<Omit<used.MLContextOptions, 'deviceType'>>().toExtend<idl.MLContextOptions>();
});
