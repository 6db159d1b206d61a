/** Types of the part of Pyodide that the page uses; the module itself is loaded at run time. */

export interface PyodideModule {
  loadPyodide(options: { indexURL: string; packageBaseUrl: string }): Promise<Pyodide>;
}

/** A running Python. */
export interface Pyodide {
  readonly version: string;
  readonly FS: { writeFile(path: string, content: Uint8Array): void; analyzePath(path: string): { exists: boolean } };
  loadPackage(names: readonly string[], options: object): Promise<unknown>;
  loadPackagesFromImports(code: string, options: object): Promise<unknown>;
  registerJsModule(name: string, module: object): void;
  runPython(code: string): unknown;
  runPythonAsync(code: string): Promise<unknown>;
  setStdout(options: { batched: (text: string) => void }): void;
  setStderr(options: { batched: (text: string) => void }): void;
}

/** A proxy of a Python object. */
export interface PyProxy {
  getBuffer(type?: string): { readonly data: Uint8Array; release(): void };
  destroy(): void;
}

/** Whether a result is a proxy, which must be freed. */
export function isProxy(value: unknown): value is PyProxy {
  return typeof value === 'object' && value !== null && 'destroy' in value;
}
