/** How the helper worker hears messages, in browsers and in Node. */

interface NodeThreads {
  readonly parentPort: { on(event: 'message', listener: (message: unknown) => void): void } | null;
}

interface NodeProcess {
  getBuiltinModule?(name: string): NodeThreads | undefined;
}

/** Has `onMessage` hear all messages of the thread that has started this worker. */
export function listen(onMessage: (message: unknown) => void): void {
  const { process } = globalThis as { process?: NodeProcess };
  const port = process?.getBuiltinModule?.('node:worker_threads')?.parentPort;
  if (port) port.on('message', onMessage);
  else globalThis.addEventListener('message', (event) => onMessage((event as MessageEvent).data));
}
