/** The helper worker of blocking mode in Node, with the fake WebNN; bundled by blocking.test.ts. */

import { FakeContext, FakeGraphBuilder } from './fake_webnn.js';

const ml = { createContext: async () => new FakeContext() };
Object.defineProperty(globalThis, 'navigator', { value: { ml }, configurable: true });
Object.assign(globalThis, { MLGraphBuilder: FakeGraphBuilder });

await import('../../src/webnn_helper.js');
