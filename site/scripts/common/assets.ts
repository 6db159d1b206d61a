/** What a page may fetch, as pages.toml lists it; the template wrote addresses and sizes into the page. */

/** One file of the site. */
export interface Asset {
  /** Relative to the page. */
  readonly url: string;
  /** Of the file itself: a host that compresses sends fewer. */
  readonly sizeBytes: number;
}

/** `models` and `samples` by their names in models.toml, `files` by file name without suffix; the rest is Python's. */
export type AssetKind = 'models' | 'samples' | 'files' | 'pyodide' | 'wheel';

let described: Partial<Record<AssetKind, Readonly<Record<string, Asset>>>> | undefined;

/** Returns all assets of a kind that this page has. */
export function assets(kind: AssetKind): Readonly<Record<string, Asset>> {
  described ??= JSON.parse(document.getElementById('page-assets')?.textContent ?? '{}') as NonNullable<
    typeof described
  >;
  return described[kind] ?? {};
}

/**
 * Returns one asset of this page.
 *
 * @throws Error where the page's row in pages.toml does not list it.
 */
export function asset(kind: AssetKind, name: string): Asset {
  const found = assets(kind)[name];
  if (!found) throw new Error(`pages.toml lists no ${kind} ${name} for this page`);
  return found;
}
