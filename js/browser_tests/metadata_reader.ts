/** A service worker, where import() is forbidden: reads what metadata.test.ts posts. */

import * as library from 'tflite-webnn/metadata';

/** What is read, by which function. */
export interface Request {
  call: 'openTaskBundle' | 'readModelMetadata';
  source: ArrayBuffer | Blob | string;
  options?: Record<string, never>;
}

/** What a Request found; of an error, whether its class is an export. */
export type Outcome =
  | { models: readonly string[] }
  | { name: string | null; files: string[] }
  | { error: { name: string; code: string; message: string; isExported: boolean } };

async function outcomeOf({ call, source, options }: Request): Promise<Outcome> {
  try {
    if (call === 'openTaskBundle') return { models: (await library.openTaskBundle(source, options)).models };
    const found = await library.readModelMetadata(source, options);
    return { name: found?.name ?? null, files: found?.files.map((file) => file.text()) ?? [] };
  } catch (error) {
    const { name, code, message } = error as Error & { code: string };
    const isExported = Object.values(library).some((one) => one === (error as Error).constructor);
    return { error: { name, code, message, isExported } };
  }
}

addEventListener('message', async ({ data, ports: [port] }) => port?.postMessage(await outcomeOf(data)));
