/** THIRD_PARTY_NOTICES.txt: the terms of the npm packages that scripts contain, and of the wasm module's components. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JS_DIR } from './options.mjs';

export const NOTICES = 'THIRD_PARTY_NOTICES.txt';
/** A file's package, the innermost one. */
const PACKAGE = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+(?=[/\\])/;
const LICENSE_FILE = /^(LICEN[CS]E|COPYING|NOTICE)/;
/** TensorFlow.js ships no text, only the name of this project's own license. */
const OWN_LICENSE = 'Apache-2.0';
const OWN_LICENSE_FILE = join(JS_DIR, '../LICENSE');
const RULE = '='.repeat(100);

/** The npm packages in bundled scripts, by esbuild's metadata of them. */
export function bundledPackages(metafiles) {
  const inputs = metafiles.flatMap(({ outputs }) => Object.values(outputs)).flatMap((output) => Object.entries(output.inputs));
  const directories = inputs.flatMap(([name, { bytesInOutput }]) => (bytesInOutput > 0 ? (PACKAGE.exec(join(JS_DIR, name)) ?? []) : []));
  return [...new Set(directories)].sort().map((directory) => ({ directory, ...JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) }));
}

/** Writes the notices of scripts, and of the module in `moduleDir`, into a directory. */
export function writeNotices(directory, metafiles, moduleDir) {
  const ofModule = moduleDir ? `${readFileSync(join(moduleDir, NOTICES), 'utf8')}\n` : '';
  writeFileSync(join(directory, NOTICES), `${ofModule}${noticesText(bundledPackages(metafiles))}`);
}

/** The notices of npm packages. */
export function noticesText(packages) {
  const notices = packages.map((row) => [RULE, `${row.name} ${row.version} (${row.license})`, RULE, ...licenseTexts(row)].join('\n'));
  return ['The JavaScript files contain the following packages.\n', ...notices].join('\n');
}

function licenseTexts({ directory, name, license }) {
  const entries = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile() && LICENSE_FILE.test(entry.name));
  const files = entries.map((entry) => join(directory, entry.name)).sort();
  if (files.length === 0 && license === OWN_LICENSE) files.push(OWN_LICENSE_FILE);
  if (files.length === 0) throw new Error(`${name} has no license file to quote (in ${directory}): keep its LICENSE`);
  return files.map((file) => `${readFileSync(file, 'utf8').trim()}\n`);
}
