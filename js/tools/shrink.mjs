// Makes minified scripts smaller still, in place, with their source maps: node shrink.mjs FILE...
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { minifySync } from '@swc/core';

for (const file of process.argv.slice(2)) {
  const mapFile = `${file}.map`;
  const hasMap = existsSync(mapFile);
  const { code, map } = minifySync(readFileSync(file, 'utf8'), {
    module: file.endsWith('.mjs'),
    ecma: 2022,
    compress: { passes: 2 },
    mangle: true,
    sourceMap: hasMap && { content: readFileSync(mapFile, 'utf8') },
  });
  writeFileSync(file, hasMap ? `${code}\n//# sourceMappingURL=${basename(mapFile)}\n` : `${code}\n`);
  if (hasMap) writeFileSync(mapFile, map);
}
