// Checks that the types of a packed package resolve for who imports it: node check_types.mjs TARBALL SCRIPT...
// The scripts are entry points without types.
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';

const [tarball, ...excludeEntrypoints] = process.argv.slice(2);
const { types, problems } = await checkPackage(createPackageFromTarballData(readFileSync(tarball)), {
  excludeEntrypoints,
});
// Pages and Node import it; nothing of it can be required.
const found = problems?.filter(({ resolutionKind }) => !['node10', 'node16-cjs'].includes(resolutionKind));
for (const problem of found ?? ['It has no types.']) console.error(problem);
process.exit(types && found.length === 0 ? 0 : 1);
