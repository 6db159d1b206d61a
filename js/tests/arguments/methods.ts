/** The methods of a class as functions, each called on a fresh object. */

/** Functions by name. */
export type Methods = Record<string, (...provided: unknown[]) => unknown>;

/** An argument that is created by the object that the method is called on. */
export class OfObject<T> {
  constructor(readonly make: (object: T) => unknown) {}
}

/**
 * The methods of a class by name; what they stream is read.
 *
 * @param make - Creates the object of one call.
 * @param end - Frees it.
 */
export function methodsOf<T extends object>(
  { prototype }: { readonly prototype: T },
  make: () => T | Promise<T>,
  end: (object: T) => void = () => {},
): Methods {
  const call =
    (name: string) =>
    async (...provided: unknown[]) => {
      const object = await make();
      try {
        const values = await Promise.all(provided.map((one) => (one instanceof OfObject ? one.make(object) : one)));
        const result = await (object as unknown as Methods)[name]?.(...values);
        return isStream(result) ? await read(result) : result;
      } finally {
        end(object);
      }
    };
  return Object.fromEntries(namesOf(prototype).map((name) => [name, call(name)]));
}

function namesOf(prototype: object): string[] {
  if (prototype === Object.prototype || prototype === EventTarget.prototype) return [];
  const names = Object.entries(Object.getOwnPropertyDescriptors(prototype))
    .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor')
    .map(([name]) => name);
  return [...new Set([...names, ...namesOf(Object.getPrototypeOf(prototype) as object)])];
}

function isStream(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}

/** All items of a stream. */
export async function read(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of stream) items.push(item);
  return items;
}
