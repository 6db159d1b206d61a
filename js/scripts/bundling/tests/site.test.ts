/** The scripts of the site. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const { buildSite } = (await import(new URL('../site.mjs', import.meta.url).href)) as {
  buildSite(directory: string): Promise<void>;
};

it('scripts of the site import those of the package for pages', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tflite-webnn-'));
  await buildSite(directory);
  const script = readFileSync(join(directory, 'scripts', 'explorer.mjs'), 'utf8');
  expect(script.match(/"\.\.\/package\/\w+\.mjs"/g)).toContain('"../package/worker.mjs"');
  expect(existsSync(join(directory, 'scripts', 'THIRD_PARTY_NOTICES.txt'))).toBe(true);
  rmSync(directory, { recursive: true });
}, 60_000);
