/** What the Python page and its worker say to each other. */

/** A file that Python is started from. */
export interface StartFile {
  /** Absolute: a worker's relative addresses are those of its script. */
  readonly url: string;
  readonly sizeBytes: number;
}

/** What the worker is told. `start` comes first. */
export type ToWorker =
  | {
      readonly kind: 'start';
      /** Address of the site's folder. */
      readonly siteUrl: string;
      /** pyodide.mjs, and beside it the other files. */
      readonly pyodide: StartFile;
      /** The wheel of tflite_webnn, and its module beside it. */
      readonly wheel: StartFile;
      readonly module: StartFile;
      /** The Python module that examples import. */
      readonly siteFiles: StartFile;
    }
  | { readonly kind: 'run'; readonly code: string };

/** What the worker tells. */
export type FromWorker =
  /** Bytes that came, of whatever is being fetched. */
  | { readonly kind: 'fetched'; readonly bytes: number }
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'output'; readonly stream: 'out' | 'err'; readonly text: string }
  | { readonly kind: 'picture'; readonly width: number; readonly height: number; readonly rgba: ArrayBuffer }
  /** A run has ended; `value` is the repr() of its last expression, null for None. */
  | { readonly kind: 'done'; readonly value: string | null }
  /** Starting or a run has failed; `message` ends with Python's traceback. */
  | { readonly kind: 'failed'; readonly message: string };
