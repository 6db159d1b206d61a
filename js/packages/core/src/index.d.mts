// What node.ts finds next to itself in the package: index.mjs, which is not put into node.mjs a second time.
export * from './index.js';
