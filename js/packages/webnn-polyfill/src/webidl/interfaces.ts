/**
 * Interfaces as a browser exposes them (https://webidl.spec.whatwg.org/#js-interfaces): enumerable members on the
 * prototype, brand checks, counted and converted arguments, rejected promises where the IDL promises.
 *
 * A page holds a wrapper; the object behind it does the work and only gets converted values.
 */

import { type Converter, isObject, wrongType } from './conversions.js';

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly convert: Converter<unknown>;
  /** Distinguishes overloads. */
  readonly kind: 'interface' | 'dictionary' | 'other';
  /** Only for dictionaries in this IDL, whose default has the defaults of all members. */
  readonly optional: boolean;
  /** Whether the IDL once lacked it: if a page omits it, its value is undefined. */
  readonly isLater?: true;
}

/** The parameters of one overload. */
export type Parameters = readonly Parameter[];

/** An operation with its overloads. */
export interface Operation {
  readonly overloads: readonly Parameters[];
  /** The kind of value that it promises; null without a promise. */
  readonly promised: Parameter['kind'] | null;
}

/** A required parameter. */
export function parameter(name: string, convert: Converter<unknown>, kind: Parameter['kind'] = 'other'): Parameter {
  return { name, convert, kind, optional: false };
}

/** A parameter that the IDL once lacked, with options after it. */
export function laterParameter(name: string, convert: Converter<unknown>): Parameter {
  return { ...parameter(name, convert), isLater: true };
}

export function optionalDictionary(name: string, convert: Converter<unknown>): Parameter {
  return { name, convert, kind: 'dictionary', optional: true };
}

/** An operation with one or more overloads. */
export function operation(overloads: readonly Parameters[], promised: Operation['promised'] = null): Operation {
  return { overloads, promised };
}

interface InterfaceIdl {
  readonly name: string;
  /** Parameters of the constructor, if pages may call it. */
  readonly construct?: Parameters;
  readonly operations: Readonly<Record<string, Operation>>;
  /** Names of the attributes, and whether they are promises. */
  readonly attributes: Readonly<Record<string, { readonly promise?: boolean }>>;
}

/** The class behind an interface's wrappers. */
type Implementation = abstract new (...args: never[]) => object;

const implementations = new WeakMap<object, object>();
const wrappers = new WeakMap<object, object>();
const interfaces = new Map<unknown, object>();

/** The converter of an interface's type: returns the object behind the wrapper. `type` is lazy: modules are cyclic. */
export function interfaceType<T extends object>(name: string, type: () => abstract new (...args: never[]) => T) {
  return (value: unknown, what: string): T => {
    const implementation = isObject(value) ? implementations.get(value) : undefined;
    return implementation instanceof type() ? implementation : wrongType(what, `of type '${name}'`);
  };
}

/** The value for the page: an object's wrapper, wrappers in a sequence, other values unchanged. */
export function toPage(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPage);
  const prototype = isObject(value) ? interfaces.get(value.constructor) : undefined;
  if (prototype === undefined) return value;
  let wrapper = wrappers.get(value as object);
  if (wrapper === undefined) {
    wrapper = Object.create(prototype) as object;
    bind(wrapper, value as object);
  }
  return wrapper;
}

function bind(wrapper: object, implementation: object): void {
  implementations.set(wrapper, implementation);
  wrappers.set(implementation, wrapper);
}

/** Creates the interface object, whose instances wrap objects of `Implementation`. */
export function defineInterface(idl: InterfaceIdl, Implementation: Implementation): new () => object {
  const parameters = idl.construct;
  const where = `Failed to construct '${idl.name}'`;
  const convert = argumentConverter([parameters ?? []], where);
  const Interface = class {
    constructor(...args: unknown[]) {
      if (parameters === undefined) throw new TypeError('Illegal constructor');
      const values = convert(args);
      bind(this, Reflect.construct(Implementation, values) as object);
    }
  };
  const { prototype } = Interface;
  define(Interface, 'name', { value: idl.name });
  define(Interface, 'length', { value: parameters?.length ?? 0 });
  define(prototype, Symbol.toStringTag, { value: idl.name });
  for (const [name, operation] of Object.entries(idl.operations)) {
    const value = operationFunction(idl.name, name, operation, Implementation);
    define(prototype, name, { value, enumerable: true, writable: true });
  }
  for (const [name, { promise }] of Object.entries(idl.attributes)) {
    define(prototype, name, { get: attributeGetter(name, promise === true, Implementation), enumerable: true });
  }
  interfaces.set(Implementation, prototype);
  return Interface;
}

function define(target: object, name: PropertyKey, descriptor: PropertyDescriptor): void {
  Object.defineProperty(target, name, { configurable: true, ...descriptor });
}

function implementationOf(wrapper: unknown, Implementation: Implementation): Record<string, unknown> {
  const implementation = isObject(wrapper) ? implementations.get(wrapper) : undefined;
  if (!(implementation instanceof Implementation)) throw new TypeError('Illegal invocation');
  return implementation as Record<string, unknown>;
}

function operationFunction(interfaceName: string, name: string, operation: Operation, Implementation: Implementation) {
  const { overloads, promised } = operation;
  const where = `Failed to execute '${name}' on '${interfaceName}'`;
  const convert = argumentConverter(overloads, where);
  const call = (wrapper: unknown, args: unknown[]): unknown => {
    const implementation = implementationOf(wrapper, Implementation);
    const values = convert(args);
    const result = (implementation[name] as (...values: unknown[]) => unknown)(...values);
    if (promised === null) return toPage(result);
    return promised === 'interface' ? (result as Promise<unknown>).then(toPage) : result;
  };
  // A method, not a function: it has no prototype and cannot be constructed.
  const method = {
    [name](this: unknown, ...args: unknown[]): unknown {
      return promised === null ? call(this, args) : rejectingIfThrown(() => call(this, args));
    },
  }[name] as () => unknown;
  return Object.defineProperty(method, 'length', { value: Math.min(...overloads.map(requiredCount)) });
}

function attributeGetter(name: string, promise: boolean, Implementation: Implementation): () => unknown {
  const accessor = {
    get [name](): unknown {
      const read = (): unknown => implementationOf(this, Implementation)[name];
      return promise ? rejectingIfThrown(read) : read();
    },
  };
  return Object.getOwnPropertyDescriptor(accessor, name)?.get as () => unknown;
}

function rejectingIfThrown(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return Promise.reject(error);
  }
}

function requiredCount(parameters: Parameters): number {
  return parameters.filter(({ optional }) => !optional).length;
}

/** A function that counts and converts arguments, by the overload that they fit. */
function argumentConverter(
  overloads: readonly Parameters[],
  where: string,
): (provided: readonly unknown[]) => unknown[] {
  const needed = Math.min(...overloads.map(requiredCount));
  const [first = []] = overloads;
  const laterIndex = first.findIndex(({ isLater }) => isLater);
  const maxCount = Math.max(...overloads.map(({ length }) => length));
  const names = Array.from({ length: maxCount }, (_, index) => `${where}: parameter ${index + 1}`);
  // By the number of arguments: the overloads that accept so many.
  const fitting = Array.from({ length: maxCount + 1 }, (_, count) =>
    overloads.filter((parameters) => requiredCount(parameters) <= count && count <= parameters.length),
  );
  return (provided) => {
    const args = laterIndex < 0 ? provided : withLaterOne(provided, laterIndex);
    if (args.length < needed) {
      throw new TypeError(`${where}: ${needed} argument(s) required, but only ${args.length} present.`);
    }
    const parameters =
      overloads.length === 1 ? first : chooseOverload(fitting[Math.min(args.length, maxCount)] ?? [], args);
    return parameters.map(({ convert, isLater }, index) =>
      isLater && args[index] === undefined ? undefined : convert(args[index], names[index] as string),
    );
  };
}

/** The arguments with undefined for a later parameter, if the page passes options instead of it, or nothing. */
function withLaterOne(args: readonly unknown[], index: number): readonly unknown[] {
  return index === args.length || isObject(args[index]) ? args.toSpliced(index, 0, undefined) : args;
}

/**
 * The part of https://webidl.spec.whatwg.org/#js-overloads that WebNN needs: overloads differ in their first argument.
 */
function chooseOverload(fitting: readonly Parameters[], args: readonly unknown[]): Parameters {
  if (fitting.length === 1) return fitting[0] as Parameters;
  const ofKind = (kind: Parameter['kind']) => fitting.find((parameters) => parameters[0]?.kind === kind);
  const [value] = args;
  const asInterface = ofKind('interface');
  if (asInterface && accepts(asInterface[0], value)) return asInterface;
  const dictionaryLike = value === undefined || value === null || isObject(value);
  return ofKind(dictionaryLike ? 'dictionary' : 'other') ?? (fitting.at(-1) as Parameters);
}

function accepts(parameter: Parameter | undefined, value: unknown): boolean {
  try {
    parameter?.convert(value, '');
    return true;
  } catch {
    return false;
  }
}
