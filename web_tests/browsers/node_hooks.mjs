// Resolves imports of web_tests/pages in Node, without a server: `/package/NAME` is the package (its entry for Node in
// place of the main one), `/libraries/NAME` is in js/libraries, and `/NAME` is one of the scripts.

import { pathToFileURL } from 'node:url';

let folders;

export function initialize(given) {
  folders = given;
}

export function resolve(specifier, context, nextResolve) {
  if (!specifier.startsWith('/')) return nextResolve(specifier, context);
  const path = specifier === '/package/index.mjs' ? '/package/node.mjs' : specifier;
  const [, folder, name] = path.match(/^\/(package|libraries)(\/.*)/) ?? [path, 'pages', path];
  return nextResolve(pathToFileURL(folders[folder] + name).href, context);
}
