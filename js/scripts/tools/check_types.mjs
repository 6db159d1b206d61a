// Checks that a packed package resolves, with its types, for who imports it: node check_types.mjs TARBALL SCRIPT...
// The scripts are entry points without types.
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const [file, ...excludeEntrypoints] = process.argv.slice(2);
const tarball = readFileSync(file);
const { types, problems } = await checkPackage(createPackageFromTarballData(tarball), { excludeEntrypoints });
// Node's require() loads modules since 20.19; TypeScript's node16 does not know, and node10 knows no `exports`.
const isKnown = ({ kind, resolutionKind }) =>
  resolutionKind === 'node10' || (kind === 'CJSResolvesToESM' && resolutionKind === 'node16-cjs');
const found = (problems ?? ['It has no types.']).filter((problem) => !isKnown(problem));
const { messages, pkg } = await publint({ pack: { tarball: Uint8Array.from(tarball).buffer }, strict: true });
const linted = messages.map((message) => formatMessage(message, pkg));
for (const problem of [...found, ...linted]) console.error(problem);
process.exit(types && found.length === 0 && linted.length === 0 ? 0 : 1);
