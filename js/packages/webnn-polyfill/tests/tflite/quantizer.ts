/** Graphs whose operands are quantized, for the tests of fusion. */

import type { MLGraphBuilder, MLOperand, MLOperandDataType } from 'webnn-polyfill';
import { linesOf, newBuilder } from './recorder.js';

/** Scale and zero point. */
export type Parameters = readonly [scale: number, zeroPoint: number];

type QuantizedType = 'int8' | 'uint8' | 'int32';

const ARRAYS = { int8: Int8Array, uint8: Uint8Array, int32: Int32Array } as const;

/** A builder with quantizeLinear and dequantizeLinear by constants: in int8 unless said otherwise. */
export class Quantizer {
  readonly builder: MLGraphBuilder = newBuilder();

  q(input: MLOperand, parameters: Parameters, dataType: QuantizedType = 'int8'): MLOperand {
    return this.builder.quantizeLinear(input, ...this.#constants(input, parameters, dataType));
  }

  dq(input: MLOperand, parameters: Parameters): MLOperand {
    return this.builder.dequantizeLinear(input, ...this.#constants(input, parameters, input.dataType as QuantizedType));
  }

  input(name: string, dataType: MLOperandDataType, ...shape: number[]): MLOperand {
    return this.builder.input(name, { dataType, shape });
  }

  /** Weights with a scale for each index of the first axis. */
  weights(scales: readonly number[], ...shape: number[]): MLOperand {
    return this.perChannel(this.integers('int8', ...shape), scales, 0);
  }

  bias(scales: readonly number[]): MLOperand {
    const values = this.builder.constant(
      { dataType: 'int32', shape: [scales.length] },
      new Int32Array(scales.length).fill(100),
    );
    return this.perChannel(values, scales, 0);
  }

  /** A constant of 0, 1, ... 6, 0, ... */
  integers(dataType: QuantizedType, ...shape: number[]): MLOperand {
    const size = shape.reduce((product, length) => product * length, 1);
    const values = Array.from({ length: size }, (_, i) => i % 7);
    return this.builder.constant({ dataType, shape }, ARRAYS[dataType].from(values));
  }

  /** Dequantizes with a scale, and perhaps a zero point, for each index of an axis. */
  perChannel(values: MLOperand, scales: readonly number[], axis: number, zeroPoints?: readonly number[]): MLOperand {
    const shape = values.shape.map((_, index) => (index === axis ? scales.length : 1));
    const dataType = values.dataType as QuantizedType;
    const zeros = ARRAYS[dataType].from(zeroPoints ?? scales.map(() => 0));
    const scale = this.builder.constant({ dataType: 'float32', shape }, Float32Array.from(scales));
    return this.builder.dequantizeLinear(values, scale, this.builder.constant({ dataType, shape }, zeros));
  }

  lines(...results: MLOperand[]): string[] {
    return linesOf(this.builder, results);
  }

  #constants(input: MLOperand, [scale, zeroPoint]: Parameters, dataType: QuantizedType): [MLOperand, MLOperand] {
    const shape = input.shape.map(() => 1);
    return [
      this.builder.constant({ dataType: 'float32', shape }, Float32Array.of(scale)),
      this.builder.constant({ dataType, shape }, ARRAYS[dataType].of(zeroPoint)),
    ];
  }
}
