// Resolves imports of web_tests/pages in Node, without a server: `/package/NAME` is the package's script for Node, if
// it has one (its entry for Node in place of the main one), `/libraries/NAME` is in js/apps/libraries, and `/NAME` is
// one of the scripts.

import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

let directories;

export function initialize(provided) {
  directories = provided;
}

export function resolve(specifier, context, nextResolve) {
  if (!specifier.startsWith('/')) return nextResolve(specifier, context);
  const path = specifier === '/package/index.mjs' ? '/package/node.mjs' : specifier;
  const [, directory, name] = path.match(/^\/(package|libraries)(\/.*)/) ?? [path, 'pages', path];
  const ofNode = `${directories[directory]}/node${name}`;
  const file = directory === 'package' && existsSync(ofNode) ? ofNode : directories[directory] + name;
  return nextResolve(pathToFileURL(file).href, context);
}
