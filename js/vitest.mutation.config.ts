import { mergeConfig } from 'vitest/config';
import config from './vitest.config.js';

/**
 * For Stryker: the test files that it runs for a mutant share their modules, which halves the time. Stryker activates a
 * mutant of code that runs on import before it imports the modules, and tests such mutants last.
 */
export default mergeConfig(config, {
  test: {
    isolate: false,
    sequence: { shuffle: false },
    // Tests that mock modules need modules of their own; the last takes seconds, and tests no code of a package.
    exclude: ['**/{run_program,interpreter_session,module_factory,generated}.test.ts'],
  },
});
