/** Runs a case through the API of WebNN. */

import type { MLContext, MLGraphBuilder, MLOperand } from '../../src/generated/webnn_types.js';
import type { Case } from './case.js';
import { count, type Values } from './values.js';

const ARRAYS = { float32: Float32Array, int32: Int32Array, uint8: Uint8Array, int8: Int8Array } as const;

type BuilderConstructor = new (context: MLContext) => MLGraphBuilder;

function arrayOf({ dataType, data }: Values) {
  return ARRAYS[dataType as keyof typeof ARRAYS].from(data);
}

/** Which operands are inputs of the graph; the others are constants. */
export type Inputs = 'all' | 'first' | 'none';

function isInput(inputs: Inputs, place: number): boolean {
  return inputs === 'all' || (inputs === 'first' && place === 0);
}

/** Computes the outputs of a case. */
export async function outputsOf(
  Builder: BuilderConstructor,
  context: MLContext,
  { operands, build, expected }: Case,
  inputs: Inputs,
): Promise<Values[]> {
  const builder = new Builder(context);
  const given = Object.entries(operands);
  const made = given.map(([name, values], place): [string, MLOperand] => {
    const { dataType, shape } = values;
    const descriptor = { dataType, shape };
    return [
      name,
      isInput(inputs, place) ? builder.input(name, descriptor) : builder.constant(descriptor, arrayOf(values)),
    ];
  });
  const outputs = [build(builder, Object.fromEntries(made))].flat() as MLOperand[];
  const graph = await builder.build(Object.fromEntries(outputs.map((output, place) => [`${place}`, output])));
  const written = given
    .filter((_, place) => isInput(inputs, place))
    .map(async ([name, values]) => {
      const tensor = await context.createTensor({ dataType: values.dataType, shape: values.shape, writable: true });
      context.writeTensor(tensor, arrayOf(values));
      return [name, tensor] as const;
    });
  const wanted = outputs.map(async ({ dataType, shape }, place) => {
    return [`${place}`, await context.createTensor({ dataType, shape, readable: true })] as const;
  });
  const [from, to] = [Object.fromEntries(await Promise.all(written)), Object.fromEntries(await Promise.all(wanted))];
  context.dispatch(graph, from, to);
  const results = await Promise.all(
    Object.values(to).map(async (tensor): Promise<Values> => {
      const array = ARRAYS[tensor.dataType as keyof typeof ARRAYS];
      return { dataType: tensor.dataType, shape: tensor.shape, data: [...new array(await context.readTensor(tensor))] };
    }),
  );
  for (const tensor of [...Object.values(from), ...Object.values(to)]) tensor.destroy();
  graph.destroy();
  if (results.length !== expected.length) throw new Error(`${results.length} outputs, not ${expected.length}`);
  return results;
}

/** What is wrong with outputs; empty where nothing is. */
export function differences({ expected, tolerance }: Case, actual: readonly Values[]): string[] {
  return expected.flatMap((wanted, place) => {
    const { shape, data, dataType } = actual[place] as Values;
    if (`${shape}` !== `${wanted.shape}` || dataType !== wanted.dataType) {
      return [`output ${place} is ${dataType} [${shape}], not ${wanted.dataType} [${wanted.shape}]`];
    }
    const wrong = Array.from({ length: count(shape) }, (_, index) => index).filter(
      (index) => !isClose(data[index] as number, wanted.data[index] as number, tolerance),
    );
    const told = wrong.slice(0, 4).map((index) => `[${index}] ${data[index]}, not ${wanted.data[index]}`);
    return told.length ? [`output ${place}: ${wrong.length} of ${data.length} differ: ${told.join('; ')}`] : [];
  });
}

function isClose(actual: number, wanted: number, tolerance: number): boolean {
  if (Number.isFinite(wanted)) return Math.abs(actual - wanted) <= tolerance * Math.max(1, Math.abs(wanted));
  return Object.is(actual, wanted);
}
