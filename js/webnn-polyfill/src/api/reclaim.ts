/** Gives the engine's memory back when a page has dropped an object without destroying it. */

interface Destroyable {
  destroy(): void;
}

const registry = new FinalizationRegistry<Destroyable>((resource) => resource.destroy());

/** Ties the resource to its owner, which it must not know; `owner` destroys it by calling {@link release}. */
export function own<Resource extends Destroyable>(owner: object, resource: Resource): Resource {
  registry.register(owner, resource, owner);
  return resource;
}

/** Destroys the resource now. */
export function release(owner: object, resource: Destroyable): void {
  registry.unregister(owner);
  resource.destroy();
}
