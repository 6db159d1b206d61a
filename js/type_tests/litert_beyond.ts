/** What tflite-webnn/litert has beyond LiteRT.js: more element types, and loadLiteRt() without an address. */

import { expectTypeOf } from 'expect-type';
import { loadAndCompile, loadLiteRt, Tensor, type TypedArray } from 'tflite-webnn/litert';

export async function types(): Promise<void> {
  await loadLiteRt();
  const model = await loadAndCompile('model.tflite');
  const [first] = await model.run(new Tensor(BigInt64Array.of(1n), [1]));
  expectTypeOf(first?.toTypedArray()).toEqualTypeOf<TypedArray | undefined>();
  expectTypeOf(first?.toTypedArray<BigInt64Array>()).toEqualTypeOf<BigInt64Array | undefined>();
  expectTypeOf(first?.data<Int8Array>()).toEqualTypeOf<Promise<Int8Array> | undefined>();
  // @ts-expect-error: a list is no typed array
  new Tensor([1, 2]);
  // @ts-expect-error: there is no such accelerator
  await loadAndCompile('model.tflite', { accelerator: 'tpu' });
}
