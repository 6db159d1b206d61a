/** Calls of a function with one wrong argument, or one wrong member of an argument, at a time. */

/** Arguments by their names, in order; fresh ones for each call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A call with one wrong value. */
export interface WrongCall {
  /** Names from the argument to the wrong member. */
  readonly path: readonly string[];
  readonly right: unknown;
  readonly wrong: unknown;
  readonly provided: readonly unknown[];
}

const WRONG: readonly unknown[] = [
  undefined,
  null,
  true,
  -1,
  0.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  10n,
  '',
  'abc',
  Symbol('wrong'),
  [],
  {},
  Object.create(null),
  new Float32Array(0),
  () => 1,
];

/** Each argument, and each member of it, replaced by each wrong value. */
export function* wrongCalls(fresh: () => Arguments): Generator<WrongCall> {
  for (const path of pathsIn(fresh())) {
    for (const wrong of WRONG) {
      const provided = fresh();
      if (typeof wrong === 'function' && typeof valueAt(provided, path) === 'function') continue;
      yield {
        path,
        right: valueAt(provided, path),
        wrong,
        provided: Object.values(replaced(provided, path, wrong) as Arguments),
      };
    }
  }
}

function pathsIn(value: unknown): string[][] {
  if (!isPlain(value)) return [];
  const keys = Array.isArray(value) ? Object.keys(value).slice(0, 1) : Object.keys(value);
  return keys.flatMap((key) => [[key], ...pathsIn(value[key as never]).map((path) => [key, ...path])]);
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => (value as Arguments)[key], root);
}

function replaced(root: unknown, [key, ...path]: readonly string[], wrong: unknown): unknown {
  if (key === undefined) return wrong;
  const member = replaced((root as Arguments)[key], path, wrong);
  return Array.isArray(root) ? [member, ...root.slice(1)] : { ...(root as Arguments), [key]: member };
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** What else arguments and members may be. */
const UNIONS: Readonly<Record<string, readonly string[]>> = {
  mean: ['list'],
  std: ['list'],
  input: ['string'],
  background: ['number'],
  outputs: ['list'],
  cpuOptions: ['list'], // without members
  webNNOptions: ['list'],
  source: ['string'],
  stop: ['string'],
  processing: ['function'],
  color: ['function'],
  fillColor: ['function'],
  lineWidth: ['function'],
  radius: ['function'],
  0: ['bigint'], // an element of a result of int64
};

/** Arguments that a drop-in only has because the library has them: nothing is computed by them. */
const WITHOUT_EFFECT = ['fileset', 'wasmDirectory', 'canvas', 'environment', 'webGpuDevice', 'gpuOptions'];

/** Whether a value is of another kind than the right one: never to be accepted. */
export function isOfAnotherKind({ path, right, wrong }: WrongCall): boolean {
  if (WITHOUT_EFFECT.includes(path.at(-1) ?? '')) return false;
  const [expected, provided] = [kindOf(right), kindOf(wrong)];
  if (wrong === undefined || wrong === null || right === null || expected === provided) return false;
  return !(UNIONS[path.at(-1) ?? ''] ?? []).includes(provided);
}

function kindOf(value: unknown): string {
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return 'list';
  return typeof value;
}

/** Whether a number in a result is NaN. */
export function hasNaN(value: unknown, depth = 0): boolean {
  if (typeof value === 'number') return Number.isNaN(value);
  if (typeof value !== 'object' || value === null || depth > 4) return false;
  const members = ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : Object.values(value);
  return members.some((member) => hasNaN(member, depth + 1));
}

export function shown({ path, wrong }: WrongCall): string {
  const text = typeof wrong === 'string' ? JSON.stringify(wrong) : kindOf(wrong) === 'object' ? '{}' : String(wrong);
  return `${path.join('.')} = ${kindOf(wrong) === 'list' ? `list ${text}` : text}`;
}

/** Right arguments of each exported function, or why it is not called. */
export type Calls = Readonly<Record<string, (() => Arguments) | string>>;
