/**
 * The command line of bundling, for npm's scripts and for build.py:
 *
 *   node scripts/bundling/bundle.mjs modules                unpack the release of TFLITE_WEBNN_PREBUILT, if it is set
 *   node scripts/bundling/bundle.mjs package [ROOT]         write ROOT/package (package.mjs); ROOT is build/ by default
 *   node scripts/bundling/bundle.mjs script NAME DIRECTORY  write a script of OTHER_SCRIPTS (scripts.mjs)
 *   node scripts/bundling/bundle.mjs test-script ENTRY OUT  write a script of a test: .mjs for Node, .js for pages
 *
 * With --sources=FILE, FILE becomes a JSON array of the bundled source files.
 */

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { JS_DIR, scriptOptions, testOptions } from './options.mjs';
import { buildPackage, builtVariants, sourcesOf } from './package.mjs';
import { addPrebuilt, VARIABLE } from './prebuilt.mjs';
import { EMBEDDED_VARIANT, OTHER_SCRIPTS } from './scripts.mjs';

const BUILD_DIR = resolve(JS_DIR, '../build');
const WASM_DIR = join(BUILD_DIR, 'wasm');

const COMMANDS = {
  async modules() {
    const place = process.env[VARIABLE];
    const { added, others } = place ? await addPrebuilt(place, WASM_DIR) : { added: [], others: [] };
    for (const variant of added) console.log(`The wasm module ${variant} comes from ${place}.`);
    for (const variant of others) {
      const directory = join(WASM_DIR, variant);
      console.warn(`${directory} has another wasm module than ${place}, and is used: delete it if it is outdated.`);
    }
    return [];
  },
  async package(root = BUILD_DIR) {
    const sources = await buildPackage(resolve(root));
    if (!builtVariants(join(root, 'wasm')).includes(EMBEDDED_VARIANT)) {
      console.warn(
        `There is no wasm module in ${join(root, 'wasm', EMBEDDED_VARIANT)}, so the package lacks it, cpu.mjs, ` +
          `tflite_cpu.js and tfjs-tflite/: run python3 build.py build, or set ${VARIABLE} to a release's files.`,
      );
    }
    return sources;
  },
  async script(name, directory) {
    const script = OTHER_SCRIPTS[name];
    if (!script) throw new Error(`no script is named ${name}; there are: ${Object.keys(OTHER_SCRIPTS).join(', ')}`);
    return bundled(scriptOptions(script, { variants: [], directory: resolve(directory), wasmDir: WASM_DIR }));
  },
  async 'test-script'(entry, outfile) {
    return bundled(testOptions(resolve(entry), resolve(outfile), { variants: builtVariants(WASM_DIR), wasmDir: WASM_DIR }));
  },
};

async function bundled(options) {
  const { metafile } = await build(options);
  return sourcesOf(metafile);
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { sources: { type: 'string' } } });
const [command, ...rest] = positionals;
try {
  if (!(command in COMMANDS)) throw new Error(`the command must be one of ${Object.keys(COMMANDS).join(', ')}`);
  const sources = await COMMANDS[command](...rest);
  if (values.sources) writeFileSync(values.sources, JSON.stringify(sources));
} catch (error) {
  // esbuild has printed its errors.
  if (!error.errors) console.error(`js/scripts/bundling/bundle.mjs ${command ?? ''}: ${error.message}`);
  process.exitCode = 1;
}
