/** Frees the engine's memory after a page has dropped an object without destroying it. */

interface Destroyable {
  destroy(): void;
}

const registry = new FinalizationRegistry<Destroyable>((resource) => resource.destroy());

/** Ties the resource to its owner, which it must not reference; `owner` destroys it by calling {@link release}. */
export function own<Resource extends Destroyable>(owner: object, resource: Resource): Resource {
  registry.register(owner, resource, owner);
  return resource;
}

export function release(owner: object, resource: Destroyable): void {
  registry.unregister(owner);
  resource.destroy();
}
