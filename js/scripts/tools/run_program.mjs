// Runs a program of wasm/programs in Node; its output and its exit status become those of this process.
//
//   node run_program.mjs PROGRAMS_DIR PACKAGE_DIR REQUEST
//
// REQUEST is JSON:
//   name        the program
//   files       paths of files that it may read
//   arguments, workingDirectory, directories, polyfill    as in js/apps/programs/src/run_program.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [programsDir, packageDir, requestText] = process.argv.slice(2);
const { name, files, ...request } = JSON.parse(requestText);
const urlOf = (...path) => pathToFileURL(resolve(...path));

const { runProgram } = await import(urlOf(programsDir, 'run_program.mjs').href);
const { default: createProgram } = await import(urlOf(programsDir, `${name}.mjs`).href);
const { exitStatus, written } = await runProgram({
  ...request,
  createProgram,
  wasmBinary: readFileSync(resolve(programsDir, `${name}.wasm`)),
  files: files.map((path) => ({ path, content: readFileSync(path) })),
  helper: urlOf(packageDir, 'webnn_helper.mjs'),
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
});
for (const { path, content } of written) writeFileSync(path, content);
process.exitCode = exitStatus;
