/** The interfaces in a page, by Web IDL, https://webidl.spec.whatwg.org/#js-interfaces. */

import { beforeAll, describe, expect, test } from 'vitest';
import type { GlobalScope, ML, MLContext, MLGraphBuilder } from 'webnn-polyfill';
import { INTERFACES } from '../src/generated/webnn_idl.js';
import { installEngine } from '../src/install_engine.js';
import { FakeEngine } from './fakes/engine.js';

type Class = { new (...args: unknown[]): object; readonly prototype: object };

const scope: GlobalScope = {};
const objects: Record<string, object> = {};

beforeAll(async () => {
  await installEngine(new FakeEngine(), false, scope);
  const ml = scope.navigator?.ml as unknown as ML;
  const context = await ml.createContext();
  const Builder = scope.MLGraphBuilder as new (context: MLContext) => MLGraphBuilder;
  const builder = new Builder(context);
  const descriptor = { dataType: 'float32', shape: [2] } as const;
  const operand = builder.input('a', descriptor);
  const graph = await builder.build({ b: builder.relu(operand) });
  const tensor = await context.createTensor(descriptor);
  Object.assign(objects, {
    ML: ml,
    MLContext: context,
    MLGraph: graph,
    MLGraphBuilder: builder,
    MLOperand: operand,
    MLTensor: tensor,
  });
});

function descriptorOf(object: object, name: PropertyKey): PropertyDescriptor {
  return Object.getOwnPropertyDescriptor(object, name) as PropertyDescriptor;
}

describe.each(Object.values(INTERFACES))('$name', (idl) => {
  const interfaceObject = () => scope[idl.name] as Class;

  test('is a global that does not show up', () => {
    expect(descriptorOf(scope, idl.name)).toMatchObject({ writable: true, enumerable: false, configurable: true });
    expect(interfaceObject().name).toBe(idl.name);
    expect(descriptorOf(interfaceObject(), 'prototype')).toMatchObject({ writable: false, configurable: false });
    expect(Object.getPrototypeOf(interfaceObject())).toBe(Function.prototype);
    expect(Object.prototype.toString.call(objects[idl.name])).toBe(`[object ${idl.name}]`);
    expect(objects[idl.name]).toBeInstanceOf(interfaceObject());
    expect(Object.keys(objects[idl.name] as object)).toEqual([]);
  });

  test('is constructed only where the IDL has a constructor', () => {
    const hasConstructor = 'construct' in idl;
    expect(interfaceObject().length).toBe(hasConstructor ? 1 : 0);
    expect(() => new (interfaceObject())()).toThrow(hasConstructor ? /1 argument/ : /^Illegal constructor$/);
    expect(() => (interfaceObject() as unknown as () => void)()).toThrow(TypeError);
  });

  test('has the operations', async () => {
    for (const [name, { overloads, promised }] of Object.entries(idl.operations)) {
      const { value: method, ...rest } = descriptorOf(interfaceObject().prototype, name);
      expect(rest).toEqual({ writable: true, enumerable: true, configurable: true });
      const required = overloads.map((parameters) => parameters.filter(({ optional }) => !optional).length);
      expect([method.name, method.length]).toEqual([name, Math.min(...required)]);
      expect(() => Reflect.construct(method, [])).toThrow(TypeError);
      if (promised) await expect(Reflect.apply(method, {}, [])).rejects.toThrow(TypeError);
      else expect(() => Reflect.apply(method, {}, [])).toThrow(/Illegal invocation/);
      if (method.length === 0) continue;
      if (promised) await expect(Reflect.apply(method, objects[idl.name], [])).rejects.toThrow(/required/);
      else expect(() => Reflect.apply(method, objects[idl.name], [])).toThrow(/required/);
    }
  });

  test('has the attributes', async () => {
    for (const [name, attribute] of Object.entries(idl.attributes)) {
      const { get, ...rest } = descriptorOf(interfaceObject().prototype, name);
      expect(rest).toEqual({ set: undefined, enumerable: true, configurable: true });
      expect(get?.name).toBe(`get ${name}`);
      const read = () => get?.call({});
      if ('promise' in attribute && attribute.promise) await expect(read()).rejects.toThrow(TypeError);
      else expect(read).toThrow(/Illegal invocation/);
    }
  });
});

describe('navigator.ml', () => {
  test('names its class', () => {
    expect(scope.navigator?.ml?.polyfill).toEqual({ engine: 'fake', version: expect.any(String) });
    expect(scope.navigator?.ml).toBe(scope.navigator?.ml);
  });

  test('is an attribute of the navigator’s interface where there is one', async () => {
    class Navigator {}
    const navigator = new Navigator();
    await installEngine(new FakeEngine(), false, { navigator });
    expect(Object.keys(navigator)).toEqual([]);
    expect('ml' in navigator).toBe(true);
    const { get } = descriptorOf(Navigator.prototype, 'ml');
    expect(() => get?.call(Navigator.prototype)).toThrow(TypeError);
  });

  test('rejects a GPUDevice where the engine has none, and what is no option', async () => {
    const ml = scope.navigator?.ml as unknown as { createContext(options: unknown): Promise<object> };
    await expect(ml.createContext({ powerPreference: 'much' })).rejects.toThrow(TypeError);
    await expect(ml.createContext(1)).rejects.toThrow(TypeError);
    const failing = { name: 'failing', open: () => Promise.reject(new Error('no memory')) };
    const other: GlobalScope = {};
    await installEngine(failing, false, other);
    await expect(other.navigator?.ml?.createContext()).rejects.toMatchObject({
      name: 'NotSupportedError',
      message: expect.stringMatching(/failing engine.*no memory/),
    });
  });
});

describe('install', () => {
  const usable = () => ({ createContext: async () => ({ destroy: () => {} }) });

  test('leaves a WebNN that works', async () => {
    const ml = usable();
    const scope: GlobalScope = { navigator: { ml }, MLGraphBuilder: class {} };
    expect(await installEngine(new FakeEngine(), false, scope)).toBe(false);
    expect(scope.navigator?.ml).toBe(ml);
    expect(scope.MLContext).toBeUndefined();
  });

  test('replaces one without MLGraphBuilder', async () => {
    const scope: GlobalScope = { navigator: { ml: usable() } };
    expect(await installEngine(new FakeEngine(), false, scope)).toBe(true);
    expect(scope.MLGraphBuilder).toBeDefined();
  });

  test('replaces one that creates no context', async () => {
    const scope: GlobalScope = { navigator: { ml: { createContext: () => Promise.reject(new Error('blocked')) } } };
    expect(await installEngine(new FakeEngine(), false, scope)).toBe(true);
    expect(scope.navigator?.ml?.polyfill?.engine).toBe('fake');
  });

  test('leaves an engine that was forced during the check', async () => {
    const scope: GlobalScope = { navigator: { ml: { createContext: () => Promise.reject(new Error('blocked')) } } };
    const checking = installEngine(new FakeEngine(), false, scope);
    await installEngine(new FakeEngine(), true, scope);
    const forced = scope.navigator?.ml;
    expect(await checking).toBe(true);
    expect(scope.navigator?.ml).toBe(forced);
  });

  test('replaces any one when forced, immediately', () => {
    const scope: GlobalScope = { navigator: { ml: usable() } };
    installEngine(new FakeEngine(), true, scope);
    expect(scope.navigator?.ml?.polyfill?.engine).toBe('fake');
  });

  test('does not replace itself', async () => {
    const scope: GlobalScope = {};
    await installEngine(new FakeEngine(), false, scope);
    const ml = scope.navigator?.ml;
    expect(await installEngine(new FakeEngine(), false, scope)).toBe(true);
    expect(scope.navigator?.ml).toBe(ml);
  });
});
