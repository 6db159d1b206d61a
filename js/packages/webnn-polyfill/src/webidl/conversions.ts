/**
 * JavaScript values to IDL values, by the rules of Web IDL (https://webidl.spec.whatwg.org/#js-type-mapping), for the
 * types that the WebNN IDL uses; and the exceptions. 1.6 kB with gzip; the package webidl-conversions has 2.0 kB, without
 * sequences, records, dictionaries and enumerations.
 */

/** Converts a value or throws a TypeError; `what` names the value in the message, e.g. `parameter 1`. */
export type Converter<T> = (value: unknown, what: string) => T;

/** A member of a dictionary. */
export interface Member {
  readonly convert: Converter<unknown>;
  readonly required?: true;
  /** A former name, accepted if the present one is absent. */
  readonly formerName?: string;
  readonly default?: unknown;
}

/** A dictionary's converter, with its members. */
export interface DictionaryConverter extends Converter<Record<string, unknown>> {
  /** In the order of conversion: inherited ones first, each dictionary's in the order of their names. */
  readonly members: readonly (readonly [string, Member])[];
}

/** Throws the TypeError for a value of the wrong type. */
export function wrongType(what: string, expected: string): never {
  throw new TypeError(`${what} is not ${expected}.`);
}

export const boolean: Converter<boolean> = Boolean;

/** `DOMString`; a symbol throws. */
export const domString: Converter<string> = (value) => `${value as string}`;

const SURROGATE = /[\uD800-\uDFFF]/;
const LONE_SURROGATES = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** `USVString` */
export const usvString: Converter<string> = (value) => {
  const text = `${value as string}`;
  return SURROGATE.test(text) ? text.replace(LONE_SURROGATES, '\uFFFD') : text;
};

/** ToNumber: a bigint and a symbol throw. */
function toNumber(value: unknown): number {
  return +(value as number);
}

export const double: Converter<number> = (value, what) => {
  const number = toNumber(value);
  return Number.isFinite(number) ? number : wrongType(what, 'a finite number');
};

export const float: Converter<number> = (value, what) => double(Math.fround(double(value, what)), what);

/** `(bigint or unrestricted double)`, which WebNN calls MLNumber */
export const bigintOrUnrestrictedDouble: Converter<bigint | number> = (value) =>
  typeof value === 'bigint' ? value : toNumber(value);

/** `unsigned long` without an attribute: modulo 2^32. */
export const unsignedLong: Converter<number> = (value) => toNumber(value) >>> 0;

function enforceRange(min: number, max: number, name: string): Converter<number> {
  return (value, what) => {
    const number = Math.trunc(toNumber(value));
    if (!(number >= min && number <= max)) wrongType(what, `in the range of ${name}`);
    return number + 0; // -0 becomes 0
  };
}

/** `[EnforceRange] unsigned long` */
export const enforceRangeUnsignedLong = enforceRange(0, 2 ** 32 - 1, 'unsigned long');

/** `[EnforceRange] long` */
export const enforceRangeLong = enforceRange(-(2 ** 31), 2 ** 31 - 1, 'long');

export function enumeration(name: string, values: readonly string[]): Converter<string> {
  return (value, what) => {
    const text = domString(value, what);
    if (!values.includes(text)) {
      throw new TypeError(`${what}: the provided value '${text}' is not a valid enum value of type ${name}.`);
    }
    return text;
  };
}

/** `sequence<T>`, from anything iterable. */
export function sequence<T>(convert: Converter<T>): Converter<T[]> {
  return (value, what) => {
    if (!isObject(value) || typeof (value as { [Symbol.iterator]?: unknown })[Symbol.iterator] !== 'function') {
      wrongType(what, 'a sequence');
    }
    return Array.from(value as Iterable<unknown>, (item, index) => convert(item, `${what}[${index}]`));
  };
}

/** `(T or sequence<T>)` */
export function oneOrSequence<T>(convert: Converter<T>): Converter<T | T[]> {
  const convertAll = sequence(convert);
  return (value, what) =>
    isObject(value) && Symbol.iterator in value ? convertAll(value, what) : convert(value, what);
}

const { propertyIsEnumerable: isEnumerable } = Object.prototype;

/**
 * `record<USVString, T>`. Each dispatch has two, so a frozen one, which cannot change, is converted once; and
 * Object.keys() takes a fraction of Reflect.ownKeys()'s time.
 *
 * @param convert - Must be deterministic, as interface types are.
 */
export function record<T>(convert: Converter<T>): Converter<ReadonlyMap<string, T>> {
  const ofFrozen = new WeakMap<object, ReadonlyMap<string, T>>();
  return (value, what) => {
    if (!isObject(value)) wrongType(what, 'an object');
    const known = ofFrozen.get(value);
    if (known !== undefined) return known;
    const result = convertRecord(value, convert, what);
    if (!Object.isExtensible(value) && isConstant(value)) ofFrozen.set(value, result);
    return result;
  };
}

function convertRecord<T>(value: object, convert: Converter<T>, what: string): ReadonlyMap<string, T> {
  const result = new Map<string, T>();
  for (const key of Object.keys(value)) {
    const name = usvString(key, what);
    result.set(name, convert((value as Record<string, unknown>)[key], `${what}['${name}']`));
  }
  if (Object.getOwnPropertySymbols(value).some((symbol) => isEnumerable.call(value, symbol))) {
    wrongType(what, 'without symbols as names');
  }
  return result;
}

/** Whether the object is frozen and has only values. */
function isConstant(value: object): boolean {
  const properties = Object.values(Object.getOwnPropertyDescriptors(value));
  return Object.isFrozen(value) && properties.every((property) => 'value' in property);
}

/** A dictionary; `members` are in alphabetical order. */
export function dictionary(
  parent: DictionaryConverter | null,
  members: Readonly<Record<string, Member>>,
): DictionaryConverter {
  const all = [...(parent?.members ?? []), ...Object.entries(members)];
  const convert: Converter<Record<string, unknown>> = (value, what) => {
    if (value !== undefined && value !== null && !isObject(value)) wrongType(what, 'an object');
    const provided = all.map(([name, member]) => [name, memberValue(value, name, member, what)] as const);
    return Object.fromEntries(provided.filter(([, member]) => member !== undefined));
  };
  return Object.assign(convert, { members: all });
}

function memberValue(dictionary: unknown, name: string, member: Member, what: string): unknown {
  const { convert, formerName } = member;
  const present = read(dictionary, name);
  const provided = present === undefined && formerName ? read(dictionary, formerName) : present;
  if (provided !== undefined) return convert(provided, `${what}: member ${name}`);
  if (member.required) throw new TypeError(`${what}: required member ${name} is undefined.`);
  return member.default;
}

function read(dictionary: unknown, name: string): unknown {
  return (dictionary as Record<string, unknown> | null | undefined)?.[name];
}

/** Whether the value is an Object in ECMAScript's sense. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Buffers and views, also shared ones. */
export type BufferSource = ArrayBufferLike | ArrayBufferView;

/** TypeScript's library of ES2022 has neither. */
type ResizableBuffer = ArrayBufferLike & { readonly resizable?: boolean; readonly growable?: boolean };

type ByteLengthGetter = (this: unknown) => number;

function byteLengthGetter(prototype: object): ByteLengthGetter {
  return Object.getOwnPropertyDescriptor(prototype, 'byteLength')?.get as ByteLengthGetter;
}

// Their getters recognize buffers of every realm. Pages that are not isolated may lack SharedArrayBuffer.
const BUFFER_GETTERS = [ArrayBuffer, globalThis.SharedArrayBuffer]
  .filter((buffer) => buffer !== undefined)
  .map(({ prototype }) => byteLengthGetter(prototype));

function isBuffer(value: unknown): value is ArrayBufferLike {
  return BUFFER_GETTERS.some((getter) => {
    try {
      getter.call(value);
      return true;
    } catch {
      return false;
    }
  });
}

/** The type's converter; it copies nothing. Without `[AllowResizable]`, Web IDL rejects resizable buffers. */
export const allowSharedBufferSource: Converter<BufferSource> = (value, what) => {
  if (ArrayBuffer.isView(value) || isBuffer(value)) {
    const { resizable, growable } = (ArrayBuffer.isView(value) ? value.buffer : value) as ResizableBuffer;
    return resizable || growable ? wrongType(what, 'of a fixed length') : value;
  }
  return wrongType(what, 'an ArrayBuffer, a SharedArrayBuffer or a view of one');
};

/** The first bytes of a buffer or view, or all of them, without a copy; none if it is detached. */
export function bytesOf(source: BufferSource, byteLength = source.byteLength): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, byteLength)
    : new Uint8Array(source, 0, byteLength);
}

/** `GPUDevice`, an interface of WebGPU. */
export const gpuDevice: Converter<GPUDevice> = (value, what) => {
  const isDevice = typeof GPUDevice !== 'undefined' && value instanceof GPUDevice;
  return isDevice ? value : wrongType(what, "of type 'GPUDevice'");
};

/** Names of the exceptions that WebNN throws. */
type ExceptionName = 'InvalidStateError' | 'NotSupportedError' | 'OperationError' | 'UnknownError';

export function exception(name: ExceptionName, message: string, cause?: unknown): DOMException {
  const error = new DOMException(cause === undefined ? message : `${message}: ${messageOf(cause)}`, name);
  return cause === undefined ? error : Object.defineProperty(error, 'cause', { value: cause, configurable: true });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
