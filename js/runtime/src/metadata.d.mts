// What node.ts finds beside itself in the package: metadata.mjs.
export * from './metadata.js';
