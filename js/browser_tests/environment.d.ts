/** What the tests' pages have: WebNN, as far as they use it, and the commands of commands.ts. */

import type { MLContext } from 'tflite-webnn';

declare global {
  interface Navigator {
    readonly ml: { createContext(): Promise<NativeContext> };
  }
  /** Chromium's contexts can be destroyed. */
  type NativeContext = MLContext & { destroy(): void };
  const MLGraphBuilder: { prototype: { build(outputs: unknown): Promise<unknown> } };
}

declare module '@vitest/browser/context' {
  interface BrowserCommands {
    workerAddresses(): Promise<string[]>;
    serveElsewhere(address: string): Promise<void>;
  }
}
