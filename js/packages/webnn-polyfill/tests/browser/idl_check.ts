/**
 * Checks a global scope's interfaces against the IDL, by the rules of https://webidl.spec.whatwg.org/#js-interfaces. It
 * reads the IDL itself and does not use the polyfill, so it can check a browser's own WebNN, too.
 */

import webnnIdl from '@webref/idl/webnn.idl';
import { type IDLInterfaceMemberType, parse } from 'webidl2';

type Properties = Readonly<Record<string, unknown>>;

/** One interface with all of its partials. */
interface Interface {
  readonly name: string;
  readonly members: IDLInterfaceMemberType[];
}

function interfacesOfIdl(): Interface[] {
  const interfaces = new Map<string, Interface>();
  for (const definition of parse(webnnIdl)) {
    if (definition.type !== 'interface') continue;
    const { name } = definition;
    const known = interfaces.get(name) ?? { name, members: [] };
    known.members.push(...(definition.members as IDLInterfaceMemberType[]));
    interfaces.set(name, known);
  }
  return [...interfaces.values()];
}

/** Collects deviations. */
class Check {
  readonly problems: string[] = [];

  expect(what: string, found: unknown, expected: unknown): void {
    if (!Object.is(found, expected)) this.problems.push(`${what}: ${String(found)}, not ${String(expected)}`);
  }

  property(what: string, object: object, name: PropertyKey, expected: Properties): void {
    const descriptor = Object.getOwnPropertyDescriptor(object, name) as Properties | undefined;
    if (descriptor === undefined) this.problems.push(`${what}: missing`);
    else for (const [key, value] of Object.entries(expected)) this.expect(`${what}: ${key}`, descriptor[key], value);
  }

  throwsTypeError(what: string, run: () => unknown): void {
    try {
      const result = run();
      if (result instanceof Promise) result.catch(() => {}); // an unexpected promise has no handler
      this.problems.push(`${what}: does not throw`);
    } catch (error) {
      this.expect(what, (error as Error).name, 'TypeError');
    }
  }

  async rejectsTypeError(what: string, run: () => unknown): Promise<void> {
    try {
      const promise = run();
      this.expect(`${what}: is a promise`, promise instanceof Promise, true);
      await promise;
      this.problems.push(`${what}: does not reject`);
    } catch (error) {
      this.expect(what, (error as Error).name, 'TypeError');
    }
  }

  async fails(what: string, promises: boolean, run: () => unknown): Promise<void> {
    if (promises) await this.rejectsTypeError(what, run);
    else this.throwsTypeError(what, run);
  }
}

type Class = { new (...args: unknown[]): object; readonly prototype: object };

/** All deviations of the interfaces. `instances` has an object of each, by name. */
export async function idlProblems(scope: object, instances: Readonly<Record<string, object>>): Promise<string[]> {
  const check = new Check();
  for (const idl of interfacesOfIdl()) {
    check.property(idl.name, scope, idl.name, { writable: true, enumerable: false, configurable: true });
    const interfaceObject = Reflect.get(scope, idl.name) as Class;
    if (typeof interfaceObject !== 'function') continue;
    checkInterfaceObject(check, idl, interfaceObject);
    checkInstance(check, idl, interfaceObject, instances[idl.name]);
    await checkMembers(check, idl, interfaceObject.prototype, instances[idl.name]);
  }
  return check.problems;
}

function checkInterfaceObject(check: Check, { name, members }: Interface, interfaceObject: Class): void {
  const constructors = members.filter((member) => member.type === 'constructor');
  const length = Math.min(...constructors.map((member) => requiredCount(member.arguments)), 99) % 99;
  const fixed = { writable: false, enumerable: false };
  check.property(`${name}.length`, interfaceObject, 'length', { ...fixed, configurable: true, value: length });
  check.property(`${name}.name`, interfaceObject, 'name', { ...fixed, configurable: true, value: name });
  check.property(`${name}.prototype`, interfaceObject, 'prototype', { ...fixed, configurable: false });
  check.expect(`${name}: its prototype`, Object.getPrototypeOf(interfaceObject), Function.prototype);
  check.throwsTypeError(`${name}()`, () => Reflect.apply(interfaceObject as unknown as () => void, undefined, []));
  check.throwsTypeError(`new ${name}()`, () => new interfaceObject());
  const { prototype } = interfaceObject;
  check.expect(`${name}.prototype: its prototype`, Object.getPrototypeOf(prototype), Object.prototype);
  const itself = { writable: true, enumerable: false, configurable: true, value: interfaceObject };
  check.property(`${name}.prototype.constructor`, prototype, 'constructor', itself);
  const tag = { ...fixed, configurable: true, value: name };
  check.property(`${name}.prototype[@@toStringTag]`, prototype, Symbol.toStringTag, tag);
}

function checkInstance(check: Check, { name }: Interface, { prototype }: Class, instance: object | undefined): void {
  check.expect(`${name}: there is an instance`, instance !== undefined, true);
  if (instance === undefined) return;
  check.expect(`an ${name}: its prototype`, Object.getPrototypeOf(instance), prototype);
  check.expect(`an ${name} as text`, Object.prototype.toString.call(instance), `[object ${name}]`);
}

async function checkMembers(
  check: Check,
  { name, members }: Interface,
  prototype: object,
  instance: object | undefined,
): Promise<void> {
  const names = new Set(members.flatMap((member) => ('name' in member && member.name ? [member.name] : [])));
  for (const member of names) {
    const what = `${name}.prototype.${member}`;
    const overloads = members.filter((one) => 'name' in one && one.name === member);
    if (overloads[0]?.type === 'attribute') await checkAttribute(check, what, prototype, overloads[0]);
    else await checkOperation(check, what, prototype, member, overloads, instance);
  }
}

async function checkAttribute(
  check: Check,
  what: string,
  prototype: object,
  { name, idlType }: Extract<IDLInterfaceMemberType, { type: 'attribute' }>,
): Promise<void> {
  check.property(what, prototype, name, { set: undefined, enumerable: true, configurable: true });
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get as (() => unknown) | undefined;
  check.expect(`${what}: name`, get?.name, `get ${name}`);
  check.expect(`${what}: length`, get?.length, 0);
  const promises = idlType.generic === 'Promise';
  await check.fails(`${what} of an object`, promises, () => get?.call({}));
  await check.fails(`${what} of the prototype`, promises, () => Reflect.get(prototype, name));
}

async function checkOperation(
  check: Check,
  what: string,
  prototype: object,
  name: string,
  overloads: readonly IDLInterfaceMemberType[],
  instance: object | undefined,
): Promise<void> {
  const operations = overloads.filter((member) => member.type === 'operation');
  const length = Math.min(...operations.map((operation) => requiredCount(operation.arguments)));
  const promises = operations.some(({ idlType }) => idlType?.generic === 'Promise');
  check.property(what, prototype, name, { writable: true, enumerable: true, configurable: true });
  const method = Reflect.get(prototype, name) as (() => unknown) | undefined;
  if (typeof method !== 'function') return;
  check.expect(`${what}: name`, method.name, name);
  check.expect(`${what}: length`, method.length, length);
  check.throwsTypeError(`new ${what}`, () => Reflect.construct(method, []));
  const values = Array.from({ length }, () => null);
  await check.fails(`${what} of an object`, promises, () => Reflect.apply(method, {}, values));
  if (length === 0 || instance === undefined) return;
  await check.fails(`${what}: too few arguments`, promises, () => Reflect.apply(method, instance, values.slice(1)));
}

function requiredCount(parameters: readonly { readonly optional: boolean }[]): number {
  return parameters.filter(({ optional }) => !optional).length;
}
