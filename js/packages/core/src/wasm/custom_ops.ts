/**
 * Runs custom ops in JavaScript: what wasm/runtime/module/javascript_ops.cc calls. It is the script custom_ops.mjs,
 * which is loaded with the first model that has any.
 */

import type { CustomOp, CustomOpInput, CustomOpNode, CustomOpOutputInfo, CustomOps } from '../custom_op.js';
import { isShape, typedArrayConstructor } from '../dtypes.js';
import type { ErrorContext } from '../errors.js';
import { shown } from '../support/validate_options.js';
import { type CallPointer, CustomOpFrame, type CustomOpTensorRow } from './custom_op_frame.js';
import type { WasmBindings, WasmCustomOps } from './wasm_binding_types.js';
import type { WasmModule } from './wasm_module.js';

/** The errors of the script that has loaded this one. */
export interface CustomOpErrors {
  ofOption(message: string, context: ErrorContext): Error;
  ofNode(message: string, context: ErrorContext): Error;
}

/** Custom ops that were checked. */
export interface OpenCustomOps {
  /** The same module with these ops in each instance. */
  within(wasm: WasmModule): WasmModule;
}

/** Ends with an error about an option. */
type Reject = (option: string, problem: string, context?: ErrorContext) => never;

/**
 * Checks custom ops.
 *
 * @param source - The ops, or the address of a module with them as its default export.
 * @throws what errors.ofOption() makes.
 */
export async function openCustomOps(source: CustomOps | URL, errors: CustomOpErrors): Promise<OpenCustomOps> {
  const reject: Reject = (option, problem, context = {}) => {
    throw errors.ofOption(`the option "${option}" ${problem}`, { ...context, details: { option } });
  };
  const ops = new Map(Object.entries(source instanceof URL ? await importOps(source, reject) : source));
  for (const [name, op] of ops) checkOp(name, op, reject);
  return { within: (wasm) => withOps(wasm, ops, errors) };
}

async function importOps(address: URL, reject: Reject): Promise<CustomOps> {
  const module: { default?: unknown } = await import(/* @vite-ignore */ /* webpackIgnore: true */ address.href).catch(
    (cause: unknown) => reject('customOps', `could not be imported from ${address.href} (${textOf(cause)})`, { cause }),
  );
  if (isObject(module.default)) return module.default as CustomOps;
  const example = 'export default { NAME: { run(inputs, outputs) { … } } }';
  return reject('customOps', `is a module without ops: ${address.href} needs "${example}"`);
}

function checkOp(name: string, op: CustomOp, reject: Reject): void {
  const option = `customOps.${name}`;
  if (name === '' || /[\0\n]/.test(name)) reject(option, 'is no name of an op');
  if (!isObject(op)) reject(option, `is an object with the function run; got ${shown(op)}`);
  const { prepare = () => undefined, run } = op;
  for (const [part, value] of Object.entries({ prepare, run })) {
    if (typeof value !== 'function') reject(`${option}.${part}`, `is a function; got ${shown(value)}`);
  }
}

function withOps(wasm: WasmModule, ops: ReadonlyMap<string, CustomOp>, errors: CustomOpErrors): WasmModule {
  return {
    variant: wasm.variant,
    threads: wasm.threads,
    threadsReason: wasm.threadsReason,
    async instantiate() {
      const instance = await wasm.instantiate();
      instance.bindings.customOps = new CustomOpsHost(instance.bindings, ops, errors.ofNode);
      return instance;
    },
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A node's tensors. */
interface NodeTensors {
  /** Null for an optional input that is left out. */
  readonly inputs: readonly (CustomOpTensorRow | null)[];
  readonly outputs: readonly CustomOpTensorRow[];
}

/** A node that was prepared. */
interface PreparedNode {
  readonly op: CustomOp;
  /** What the op's functions get. */
  readonly node: CustomOpNode;
  /** As they were when it was prepared first: the outputs are as the file says. */
  readonly file: NodeTensors;
  /** The outputs whose shape run() sets. */
  open: ReadonlySet<number>;
}

type MakeError = (message: string, context: ErrorContext) => Error;
type OpFunction = 'prepare' | 'run';

/** The custom ops of one instance. Their failures are kept: none may unwind through C++. */
export class CustomOpsHost implements WasmCustomOps {
  readonly names: string;
  /** By the numbers that C++ assigns. */
  readonly #nodes = new Map<number, PreparedNode>();
  #running: CustomOpNode | null = null;
  #failure: unknown = null;

  constructor(
    private readonly bindings: WasmBindings,
    private readonly ops: ReadonlyMap<string, CustomOp>,
    private readonly makeError: MakeError,
  ) {
    this.names = [...ops.keys()].join('\n');
  }

  call(call: CallPointer, tensors: string | null): number {
    const frame = new CustomOpFrame(this.bindings, call);
    let status = 0;
    try {
      if (tensors === null) this.#run(this.#nodes.get(frame.number) as PreparedNode, frame);
      else this.#prepare(tensorsIn(tensors, frame.inputCount), frame);
    } catch (error) {
      this.#failure = error;
      status = 1;
    }
    frame.close();
    this.#running = null;
    if (frame.trap !== null) throw frame.trap.error;
    return status;
  }

  free(number: number): void {
    this.#nodes.delete(number);
  }

  takeFailure(): unknown {
    const failure = this.#failure;
    this.#failure = null;
    return failure;
  }

  checkEntry(): void {
    if (this.#running === null) return;
    throw this.makeError(
      `${nameOf(this.#running)} used its own model, which waits for it: use the model after its run.`,
      contextOf(this.#running),
    );
  }

  #prepare(now: NodeTensors, frame: CustomOpFrame): void {
    const prepared = this.#nodes.get(frame.number) ?? this.#open(now, frame);
    this.#nodes.set(frame.number, prepared);
    const { op, node, file } = prepared;
    for (const [kind, rows] of Object.entries({ input: now.inputs, output: now.outputs })) {
      const position = rows.findIndex((row) => row !== null && !hasArray(row.dtype));
      if (position < 0) continue;
      throw this.#error(
        node,
        `cannot have ${kind} ${position} of the type ${rows[position]?.dtype}, which no array holds`,
      );
    }
    const inputs = frame.inputs(now.inputs).map(({ index, name, dtype, shape, quantization }, position) => {
      const data = now.inputs[position]?.isConstant ? frame.dataOf(position, dtype) : null;
      return { index, name, dtype, shape, quantization, data } as CustomOpInput;
    });
    const returned = this.#call(node, 'prepare', () => op.prepare?.(inputs, node.options, node));
    const infos = this.#infosOf(prepared, returned);
    const open = new Set<number>();
    file.outputs.forEach((row, output) => {
      const shape = infos[output]?.shape === undefined ? this.#fileShape(prepared, output, now) : infos[output].shape;
      const isSame = !prepared.open.has(output) && String(shape) === String(now.outputs[output]?.shape);
      if (shape === null) open.add(output);
      if (!isSame || shape === null) this.#guard(node, 'prepare', () => frame.resize(output, row, shape));
    });
    prepared.open = open;
  }

  #run({ op, node, file, open }: PreparedNode, frame: CustomOpFrame): void {
    const unset = new Set(open);
    const inputs = frame.inputs(file.inputs);
    const outputs = frame.outputs(file.outputs, unset);
    this.#call(node, 'run', () => op.run(inputs, outputs, node));
    for (const output of unset) {
      throw this.#error(node, `did not call resize(shape) of output ${output}, whose shape prepare() left to run()`);
    }
  }

  #open(file: NodeTensors, { op, nodeIndex: index, subgraph, options }: CustomOpFrame): PreparedNode {
    const node: CustomOpNode = { op, index, subgraph, options, state: undefined };
    return { op: this.ops.get(op) as CustomOp, node, file, open: new Set() };
  }

  /** Calls a function of the caller. */
  #call(node: CustomOpNode, name: OpFunction, call: () => unknown): unknown {
    this.#running = node;
    const returned = this.#guard(node, name, call);
    this.#running = null;
    if (typeof (returned as Partial<Promise<unknown>> | null | undefined)?.then !== 'function') return returned;
    Promise.resolve(returned).catch(() => undefined);
    throw this.#error(node, `has an asynchronous ${name}(), but TFLite cannot wait: make it synchronous`);
  }

  #guard<T>(node: CustomOpNode, name: OpFunction, call: () => T): T {
    try {
      return call();
    } catch (cause) {
      throw this.#error(node, `failed in ${name}(): ${textOf(cause)}`, cause);
    }
  }

  /** What prepare() has returned, checked. */
  #infosOf({ node, file }: PreparedNode, returned: unknown): readonly CustomOpOutputInfo[] {
    if (returned === undefined) return [];
    const { outputs } = file;
    const format = `prepare() returns a list with { shape } for each of its ${outputs.length} outputs`;
    if (!Array.isArray(returned))
      throw this.#error(node, `has another result: ${format}; it returned ${shown(returned)}`);
    if (returned.length !== outputs.length) {
      throw this.#error(node, `has another number of results: ${format}; it returned ${returned.length}`);
    }
    returned.forEach((info: Partial<CustomOpOutputInfo> | null | undefined, output) => {
      if (typeof info !== 'object' || info === null || Array.isArray(info)) {
        throw this.#error(node, `has another result: ${format}; it returned ${shown(info)} for output ${output}`);
      }
      const { shape, dtype } = info;
      if (shape !== undefined && shape !== null && !isShape(shape)) {
        throw this.#error(
          node,
          `cannot have output ${output} of the shape ${shown(shape)}: a shape is a list of integers, 0 or more, ` +
            'or null if run() sets it',
        );
      }
      const fileType = outputs[output]?.dtype;
      if (dtype === undefined || dtype === fileType) return;
      throw this.#error(
        node,
        `cannot have output ${output} of the type ${shown(dtype)}: the file says ${fileType}, which other nodes rely on`,
      );
    });
    return returned as readonly CustomOpOutputInfo[];
  }

  /** The shape of an output that prepare() says nothing about. */
  #fileShape({ node, file }: PreparedNode, output: number, now: NodeTensors): readonly number[] {
    const { name, shape, shapeSignature } = file.outputs[output] as CustomOpTensorRow;
    const isResized = now.inputs.some((row) => row?.shapeSignature.some((size, i) => size < 0 && row.shape[i] !== 1));
    if (!isResized || !shapeSignature.includes(-1)) return shape;
    throw this.#error(
      node,
      `has output ${output} ('${name}') of the shape [${shapeSignature.join(', ')}], which depends on its inputs: ` +
        'return it from prepare()',
    );
  }

  #error(node: CustomOpNode, problem: string, cause?: unknown): Error {
    const context = contextOf(node);
    return this.makeError(`${nameOf(node)} ${problem}.`, cause === undefined ? context : { ...context, cause });
  }
}

function tensorsIn(json: string, inputCount: number): NodeTensors {
  const rows = JSON.parse(json) as CustomOpTensorRow[];
  return { inputs: rows.slice(0, inputCount), outputs: rows.slice(inputCount) };
}

function nameOf({ op, index, subgraph }: CustomOpNode): string {
  return `The custom op '${op}' (node ${index}${subgraph === 0 ? '' : ` of subgraph ${subgraph}`})`;
}

function contextOf({ op, index, subgraph }: CustomOpNode): ErrorContext {
  return { details: { op, node: index, subgraph } };
}

/** Strings have no fixed size, and so no array that could be written. */
function hasArray(dtype: string): boolean {
  return dtype !== 'string' && typedArrayConstructor(dtype) !== null;
}

/** What was thrown, in messages. */
export function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
