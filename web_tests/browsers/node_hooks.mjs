// How scripts of web_tests/pages find their imports in Node, where no server answers: `/package/NAME` is the package, by
// its entry for Node where they mean the main one, `/engines/NAME` is of js/engines, and `/NAME` one of the scripts.

import { pathToFileURL } from 'node:url';

let folders;

export function initialize(given) {
  folders = given;
}

export function resolve(specifier, context, nextResolve) {
  if (!specifier.startsWith('/')) return nextResolve(specifier, context);
  const path = specifier === '/package/index.mjs' ? '/package/node.mjs' : specifier;
  const [, folder, name] = path.match(/^\/(package|engines)(\/.*)/) ?? [path, 'pages', path];
  return nextResolve(pathToFileURL(folders[folder] + name).href, context);
}
