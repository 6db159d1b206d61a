/** Finds elements of a template and creates new ones. */

/** Attributes by name; `text` is the element's text. */
export type ElementAttributes = Readonly<Record<string, string | number | boolean>>;

/**
 * Finds an element of the page's template.
 *
 * @param type - Its class, e.g. `HTMLButtonElement`.
 * @throws Error if it is missing or of another class: template and script do not match.
 */
export function byId<E extends HTMLElement>(id: string, type: abstract new () => E): E {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${type.name} #${id}`);
}

/**
 * Creates an element.
 *
 * @param attributes - `true` sets an attribute without a value, `false` omits it; `text` is the element's text.
 */
export function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: ElementAttributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') element.textContent = String(value);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}
