// Writes index.html: the integrity of every script that the page may load, and a policy that allows nothing else.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const hashOf = (algorithm, content) => `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;

const scripts = readdirSync('package', { recursive: true }).filter((name) => name.endsWith('.mjs'));
const files = ['main.js', ...scripts.map((name) => `package/${name}`)];
const integrity = Object.fromEntries(files.map((file) => [`./${file}`, hashOf('sha384', readFileSync(file))]));
const importMap = JSON.stringify({ imports: { 'tflite-webnn': './package/index.mjs' }, integrity });
const policy = [
  "default-src 'none'",
  `script-src 'self' 'wasm-unsafe-eval' '${hashOf('sha256', importMap)}'`,
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
];

console.log(`<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<title>A strict Content-Security-Policy</title>
<script type="importmap">${importMap}</script>
<script type="module" src="main.js" integrity="${integrity['./main.js']}"></script>`);
