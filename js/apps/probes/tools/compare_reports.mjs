/**
 * Prints the differences between two reports as JSON.
 *
 *     node compare_reports.mjs SCRIPT BEFORE AFTER
 */

import { readFile } from 'node:fs/promises';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';

const [script, ...files] = argv.slice(2);
const { differencesOf, readReport } = await import(pathToFileURL(script));
const [before, after] = await Promise.all(files.map(async (file) => readReport(await readFile(file, 'utf8'))));
process.stdout.write(JSON.stringify(differencesOf(before, after)));
