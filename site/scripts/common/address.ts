/** A page's state in its address, so that a link repeats it: `#model=deeplabv3_257&rounds=100`. */

/** The state of this name; null if the address has none. */
export function addressValue(name: string): string | null {
  return parameters().get(name);
}

/** Writes a state into the address without a new entry in the history; null removes it. */
export function keepInAddress(name: string, value: string | null): void {
  const found = parameters();
  if (value === null) found.delete(name);
  else found.set(name, value);
  const text = found.toString();
  history.replaceState(null, '', text ? `#${text}` : location.pathname + location.search);
}

function parameters(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}
