/**
 * Bundles with esbuild:
 *
 *   npm run build                              build/package (bundling/package.mjs), unless it is up to date
 *   npm run build package ROOT                 ROOT/package, from the modules in ROOT/wasm
 *   npm run build script NAME DIRECTORY        a script of OTHER_SCRIPTS (bundling/scripts.mjs)
 *   npm run build site DIRECTORY               the scripts of the site
 *   npm run build test-script ENTRY FILE       a script of a test: .mjs for Node, .js for pages
 *   npm run build modules                      build/wasm from the release of TFLITE_WEBNN_PREBUILT, if it is set
 */

import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { JS_DIR, scriptOptions, testOptions } from './bundling/options.mjs';
import { buildPackage, builtVariants } from './bundling/package.mjs';
import { addPrebuilt, VARIABLE } from './bundling/prebuilt.mjs';
import { EMBEDDED_VARIANT, OTHER_SCRIPTS } from './bundling/scripts.mjs';
import { buildSite } from './bundling/site.mjs';
import { writeNotices } from './bundling/notices.mjs';

const BUILD_DIR = resolve(JS_DIR, '../build');
const WASM_DIR = join(BUILD_DIR, 'wasm');

const COMMANDS = {
  async package(root = BUILD_DIR) {
    if (root === BUILD_DIR) await COMMANDS.modules();
    const variants = await buildPackage(resolve(root));
    if (variants === null) return;
    console.log(`${join(root, 'package')} has the modules ${variants.join(', ') || '(none)'}.`);
    if (!variants.includes(EMBEDDED_VARIANT)) {
      console.warn(
        `There is no wasm module in ${join(root, 'wasm', EMBEDDED_VARIANT)}, so the package lacks it, cpu.mjs, ` +
          `tflite_cpu.js and tfjs-tflite/: run python3 build.py build, or set ${VARIABLE} to a release's files.`,
      );
    }
  },
  async script(name, directory) {
    const script = OTHER_SCRIPTS[name];
    if (!script) throw new Error(`no script is named ${name}; there are: ${Object.keys(OTHER_SCRIPTS).join(', ')}`);
    const { metafile } = await build(scriptOptions(script, { variants: [], directory: resolve(directory), wasmDir: WASM_DIR }));
    const [variant] = script.embeddedVariants ?? [];
    if (variant) writeNotices(resolve(directory), [metafile], join(WASM_DIR, variant));
  },
  async site(directory) {
    await buildSite(resolve(directory));
  },
  async 'test-script'(entry, outfile) {
    await build(testOptions(resolve(entry), resolve(outfile), { variants: builtVariants(WASM_DIR), wasmDir: WASM_DIR }));
  },
  async modules() {
    const source = process.env[VARIABLE];
    if (!source) return;
    const { added, others } = await addPrebuilt(source, WASM_DIR);
    for (const variant of added) console.log(`The wasm module ${variant} comes from ${source}.`);
    for (const variant of others) {
      const directory = join(WASM_DIR, variant);
      console.warn(`${directory} has another wasm module than ${source}, and is used: delete it if it is outdated.`);
    }
  },
};

const [command = 'package', ...args] = process.argv.slice(2);
try {
  if (!(command in COMMANDS)) throw new Error(`the command must be one of ${Object.keys(COMMANDS).join(', ')}`);
  await COMMANDS[command](...args);
} catch (error) {
  // esbuild has printed its errors.
  if (!error.errors) console.error(`npm run build ${command}: ${error.message}`);
  process.exitCode = 1;
}
