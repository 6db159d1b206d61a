/**
 * A WebNN for tests: records every call as a line of text, and computes elementwise float32 graphs for real.
 * Like a browser it keeps the order of calls on a timeline, copies what it gets, and rejects misuse.
 */

import type {
  MLContext,
  MLContextLostInfo,
  MLGraph,
  MLOperandDescriptor,
  MLOpSupportLimits,
  MLTensor,
  MLTensorDescriptor,
} from 'tflite-webnn';
import { BugGuard } from '../../src/webnn/context_losses.js';
import type { PageWebnn } from '../../src/webnn/webnn_context.js';
import type { MLGraphBuilderConstructor } from '../../src/webnn_types.js';
import { FakeTensor } from './fake_tensor.js';

type Values = Float32Array;
type Environment = Readonly<Record<string, Values>>;

interface FakeOperand extends MLOperandDescriptor {
  readonly text: string;
  compute(inputs: Environment): Values;
}

const FLOAT_LIMITS = { dataTypes: ['float32'], rankRange: { min: 0, max: 8 } };
const BINARY_LIMITS = { a: FLOAT_LIMITS, b: FLOAT_LIMITS, output: FLOAT_LIMITS };

/** Support limits of the fake: float32, and the operators that it can compute. */
export const FAKE_LIMITS: Readonly<Record<string, unknown>> = {
  preferredInputLayout: 'nhwc',
  maxTensorByteLength: 2 ** 27,
  input: FLOAT_LIMITS,
  constant: FLOAT_LIMITS,
  output: FLOAT_LIMITS,
  sin: { input: FLOAT_LIMITS, output: FLOAT_LIMITS },
  add: BINARY_LIMITS,
  mul: BINARY_LIMITS,
};

const OPERATORS: Readonly<Record<string, (...operands: number[]) => number>> = {
  sin: (x = 0) => Math.sin(x),
  add: (a = 0, b = 0) => a + b,
  mul: (a = 0, b = 0) => a * b,
};

/** What a test may change. */
export interface FakeOptions {
  limits?: MLOpSupportLimits;
  /** Message with which build() rejects the graph of these labels, or null to let it pass. */
  rejectBuild?(labels: readonly string[]): string | null;
  /** Whether the context is lost over a dispatch of the graph of these labels. */
  crashesOn?(labels: readonly string[]): boolean;
  /** Makes createTensor reject. */
  rejectTensors?: boolean;
  /** Makes readTensor into a provided buffer throw a TypeError, as an engine may for wasm memory. */
  rejectReadInto?: boolean;
}

class FakeGraph implements MLGraph {
  constructor(
    readonly name: string,
    readonly outputs: Readonly<Record<string, FakeOperand>>,
    readonly labels: readonly string[],
    private readonly log: (line: string) => void,
  ) {}

  destroy(): void {
    this.log(`destroy ${this.name}`);
  }
}

/** The context. `calls` has one line per call since the last `takeCalls()`. */
export class FakeContext implements MLContext {
  calls: string[] = [];
  destroyed = false;
  readonly lost: Promise<MLContextLostInfo>;
  /** Takes the context away, as a browser does when the driver is reset: whatever comes then fails. */
  lose: (message: string) => void = () => undefined;
  isLost = false;
  #tensorCount = 0;
  #graphCount = 0;
  readonly log = (line: string) => {
    this.calls.push(line);
  };

  constructor(readonly options: FakeOptions = {}) {
    this.lost = new Promise((resolve) => {
      this.lose = (message) => {
        this.isLost = true;
        resolve({ message });
      };
    });
  }

  opSupportLimits(): MLOpSupportLimits {
    return this.options.limits ?? FAKE_LIMITS;
  }

  async createTensor(descriptor: MLTensorDescriptor): Promise<MLTensor> {
    this.checkUsable();
    if (this.options.rejectTensors) throw new DOMException('out of memory', 'UnknownError');
    const tensor = new FakeTensor(`tensor${this.#tensorCount++}`, descriptor, this);
    const flags = [descriptor.readable && 'readable', descriptor.writable && 'writable'].filter(Boolean).join(' ');
    this.log(`create ${tensor.name} ${descriptor.dataType}[${descriptor.shape}] ${flags}`.trim());
    return tensor;
  }

  writeTensor(tensor: MLTensor, data: AllowSharedBufferSource): void {
    this.checkUsable();
    const target = FakeTensor.usableOn(this, tensor);
    if (!target.descriptor.writable) throw new TypeError(`${target.name} is not writable`);
    const { resizable } = (ArrayBuffer.isView(data) ? data.buffer : data) as ArrayBuffer;
    if (resizable) throw new TypeError('The provided ArrayBufferView value must not be resizable.');
    const bytes = bytesOfSource(data);
    if (bytes.byteLength !== target.data.byteLength) throw new TypeError(`${target.name} is of another size`);
    target.data.set(bytes);
    this.log(`write ${target.name}`);
  }

  readTensor(tensor: MLTensor): Promise<ArrayBuffer>;
  readTensor(tensor: MLTensor, output: AllowSharedBufferSource): Promise<void>;
  async readTensor(tensor: MLTensor, output?: AllowSharedBufferSource): Promise<never> {
    this.checkUsable();
    const source = FakeTensor.usableOn(this, tensor);
    if (!source.descriptor.readable) throw new TypeError(`${source.name} is not readable`);
    if (output !== undefined && this.options.rejectReadInto) throw new TypeError('this buffer cannot be written into');
    this.log(`read ${source.name}${output === undefined ? '' : ' into'}`);
    const values = source.data.slice();
    await new Promise((resolve) => setTimeout(resolve, 1));
    this.checkUsable();
    if (output === undefined) return values.buffer as never; // `never` fits both overloads
    bytesOfSource(output).set(values);
    return undefined as never;
  }

  dispatch(graph: MLGraph, inputs: Record<string, MLTensor>, outputs: Record<string, MLTensor>): void {
    this.checkUsable();
    const { name, outputs: operands, labels } = graph as FakeGraph;
    if (this.options.crashesOn?.(labels)) this.lose('the GPU process crashed');
    this.checkUsable();
    const usable = (tensor: MLTensor) => FakeTensor.usableOn(this, tensor);
    const values = Object.fromEntries(Object.entries(inputs).map(([key, tensor]) => [key, floats(usable(tensor))]));
    for (const [key, operand] of Object.entries(operands)) {
      const output = outputs[key];
      if (output === undefined) throw new TypeError(`no tensor for output ${key}`);
      floats(usable(output)).set(operand.compute(values));
    }
    const names = (tensors: Record<string, MLTensor>) =>
      Object.entries(tensors).map(([key, tensor]) => `${key}=${(tensor as FakeTensor).name}`);
    this.log(`dispatch ${name} (${names(inputs)}) -> (${names(outputs)})`);
  }

  destroy(): void {
    this.destroyed = true;
    this.log('destroy context');
  }

  /** The calls since the last time, as text. */
  takeCalls(): string {
    const text = this.calls.join('\n');
    this.calls = [];
    return text;
  }

  checkUsable(): void {
    if (this.isLost) throw new DOMException('Context is lost.', 'InvalidStateError');
  }

  nextGraphName(): string {
    return `graph${this.#graphCount++}`;
  }
}

/** Operators that are only recorded. */
const RECORDED_ONLY = ['conv2d', 'clamp', 'concat', 'split'];

/** The builder. Operator methods record their call; those of OPERATORS can be computed too. */
class FakeBuilder {
  readonly lines: string[] = [];
  readonly labels: string[] = [];
  #count = 0;

  constructor(readonly context: FakeContext) {
    context.checkUsable();
    for (const op of [...Object.keys(OPERATORS), ...RECORDED_ONLY]) {
      Object.assign(this, { [op]: (...args: unknown[]) => this.operator(op, args) });
    }
  }

  input(name: string, { dataType, shape }: MLOperandDescriptor): FakeOperand {
    return this.define(`input ${name} ${dataType}[${shape}]`, { dataType, shape }, (inputs) => inputs[name] as Values);
  }

  constant({ dataType, shape }: MLOperandDescriptor, data: AllowSharedBufferSource): FakeOperand {
    const bytes = bytesOfSource(data).slice();
    const values = new Float32Array(bytes.buffer, 0, bytes.byteLength >> 2);
    return this.define(`constant ${dataType}[${shape}] ${bytes.byteLength} bytes`, { dataType, shape }, () => values);
  }

  private operator(op: string, args: readonly unknown[]): FakeOperand | FakeOperand[] {
    const { label } = args.at(-1) as { label: string };
    this.labels.push(label);
    const text = `${op}(${args.map(show).join(', ')})`;
    const operands = args.filter(isOperand);
    const largest = operands.reduce<FakeOperand | null>((a, b) => (a && sizeOf(a) >= sizeOf(b) ? a : b), null);
    const result = largest ?? { dataType: 'float32', shape: [] };
    if (op === 'split') {
      return [0, 1].map((part) => this.define(`${text} part ${part}`, result, () => new Float32Array()));
    }
    const evaluate = OPERATORS[op] ?? (() => Number.NaN);
    return this.define(text, result, (inputs) =>
      elementwise(
        evaluate,
        operands.map((operand) => operand.compute(inputs)),
      ),
    );
  }

  async build(outputs: Record<string, FakeOperand>): Promise<FakeGraph> {
    const message = this.context.options.rejectBuild?.(this.labels) ?? null;
    this.context.checkUsable();
    if (message !== null) throw new DOMException(message, 'OperationError');
    const named = Object.entries(outputs).map(([name, operand]) => `${name}=${operand.text}`);
    const name = this.context.nextGraphName();
    this.context.log([`build ${name}:`, ...this.lines, `  outputs ${named}`].join('\n'));
    return new FakeGraph(name, outputs, this.labels, this.context.log);
  }

  private define(
    what: string,
    { dataType, shape }: MLOperandDescriptor,
    compute: (inputs: Environment) => Values,
  ): FakeOperand {
    const text = `%${this.#count++}`;
    this.lines.push(`  ${text} = ${what}`);
    return { text, dataType, shape, compute };
  }
}

/** `MLGraphBuilder` of the fake. */
export const FakeGraphBuilder = FakeBuilder as unknown as MLGraphBuilderConstructor;

/** What openWebnn would make of a fake context. */
export function backendOn(context: FakeContext, guard: BugGuard | null = new BugGuard()): PageWebnn {
  const limits = context.opSupportLimits();
  const none = { backend: null, lostReason: null as string | null };
  const webnn = { context, Builder: FakeGraphBuilder, limits, owned: true, guard, ...none };
  context.lost.then(({ message }) => {
    webnn.lostReason = message ?? null;
  });
  return webnn;
}

function floats({ data }: FakeTensor): Values {
  return new Float32Array(data.buffer, data.byteOffset, data.byteLength >> 2);
}

function bytesOfSource(source: AllowSharedBufferSource): Uint8Array {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return new Uint8Array(source);
}

function sizeOf({ shape }: FakeOperand): number {
  return shape.reduce((product, size) => product * size, 1);
}

function isOperand(value: unknown): value is FakeOperand {
  return typeof value === 'object' && value !== null && 'compute' in value;
}

function elementwise(evaluate: (...operands: number[]) => number, operands: readonly Values[]): Values {
  const size = Math.max(...operands.map(({ length }) => length));
  return Float32Array.from({ length: size }, (_, i) =>
    evaluate(...operands.map((values) => values[i % values.length] ?? 0)),
  );
}

function show(value: unknown): string {
  if (isOperand(value)) return value.text;
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? `'${value}'` : String(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${key}: ${show(member)}`)
    .join(', ')}}`;
}
