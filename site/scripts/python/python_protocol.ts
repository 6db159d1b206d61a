/** Messages between the Python page and its worker. */

/** A file that Python needs to start. */
export interface StartFile {
  /** Absolute: a worker resolves relative URLs against its script. */
  readonly url: string;
  readonly sizeBytes: number;
}

/** Messages to the worker. `start` comes first. */
export type ToWorker =
  | {
      readonly kind: 'start';
      /** URL of the site's directory. */
      readonly siteUrl: string;
      /** pyodide.mjs; the other files are next to it. */
      readonly pyodide: StartFile;
      /** The wheel of tflite_webnn; its module is next to it. */
      readonly wheel: StartFile;
      readonly module: StartFile;
      /** The Python module that examples import. */
      readonly siteFiles: StartFile;
    }
  /** A file of the visitor's, for Python's working directory. */
  | { readonly kind: 'file'; readonly name: string; readonly content: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'run'; readonly code: string };

/** Messages from the worker. */
export type FromWorker =
  /** Bytes received since the last message, of any download. */
  | { readonly kind: 'fetched'; readonly bytes: number }
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'output'; readonly stream: 'out' | 'err'; readonly text: string }
  | { readonly kind: 'image'; readonly width: number; readonly height: number; readonly rgba: ArrayBuffer }
  /** A run ended; `value` is the repr() of its last expression, null for None. */
  | { readonly kind: 'done'; readonly value: string | null }
  /** The start or a run failed; `message` ends with Python's traceback. */
  | { readonly kind: 'failed'; readonly message: string };
