/** The specification's errors other than TypeError. */

/** Names of the exceptions that WebNN throws. */
export type ExceptionName = 'InvalidStateError' | 'NotSupportedError' | 'OperationError' | 'UnknownError';

export function exception(name: ExceptionName, message: string, cause?: unknown): DOMException {
  const error = new DOMException(cause === undefined ? message : `${message}: ${messageOf(cause)}`, name);
  return cause === undefined ? error : Object.defineProperty(error, 'cause', { value: cause, configurable: true });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
