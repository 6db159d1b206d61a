/** What a reader of a load and of a run has to open: limits of the files that they enter. */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeOnModule } from '../built_module.js';

type Functions = Readonly<Record<string, readonly string[]>>;

const LIMITS = { load: 28, run: 11, functions: 81 };
const SCRIPT = fileURLToPath(new URL('../scripts/tools/entered_files.mjs', import.meta.url));

describeOnModule('files that V8 enters', () => {
  it('are few in loading and in run() in direct mode', () => {
    const { load, run } = JSON.parse(execFileSync(process.execPath, [SCRIPT, '--json'], { encoding: 'utf8' })) as {
      readonly load: Functions;
      readonly run: Functions;
    };
    expect(Object.keys(load)).toContain('load/load_tflite_model.ts');
    expect(run['load/tflite_model.ts']).toContain('run');
    expect(Object.keys(load).length, Object.keys(load).join('\n')).toBeLessThanOrEqual(LIMITS.load);
    expect(Object.keys(run).length, Object.keys(run).join('\n')).toBeLessThanOrEqual(LIMITS.run);
    expect(Object.values(run).flat().length).toBeLessThanOrEqual(LIMITS.functions);
  });
});
