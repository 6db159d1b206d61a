/** Assets of the page: pages.toml lists them, the template writes their URLs and sizes into the page. */

/** One file of the site. */
export interface Asset {
  /** Relative to the page. */
  readonly url: string;
  /** Uncompressed: a host may send fewer bytes. */
  readonly sizeBytes: number;
}

/** `models`, `samples` and small images of them, `icons`, by their names in models.toml, `files` by file name without suffix, `modules` by their variants; all others for Python. */
export type AssetKind = 'models' | 'modules' | 'samples' | 'icons' | 'files' | 'pyodide' | 'wheel';

let described: Partial<Record<AssetKind, Readonly<Record<string, Asset>>>> | undefined;

/** Returns the page's assets of a kind. */
export function assets(kind: AssetKind): Readonly<Record<string, Asset>> {
  described ??= JSON.parse(document.getElementById('page-assets')?.textContent ?? '{}') as NonNullable<
    typeof described
  >;
  return described[kind] ?? {};
}

/**
 * Returns one asset of this page.
 *
 * @throws Error if the page's row in pages.toml does not list it.
 */
export function asset(kind: AssetKind, name: string): Asset {
  const found = assets(kind)[name];
  if (!found) throw new Error(`pages.toml lists no ${kind} ${name} for this page`);
  return found;
}
