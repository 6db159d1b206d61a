import { mergeConfig } from 'vitest/config';
import config from './vitest.config.js';

/**
 * For Stryker: the test files that it runs for a mutant share their modules. Stryker activates a mutant of code that runs
 * on import before it imports the modules, and tests such mutants last.
 */
export default mergeConfig(config, {
  test: {
    sequence: { shuffle: false },
    // The first resets the modules of all; the other takes seconds, and tests no code of a package.
    exclude: ['**/{module_factory,generated}.test.ts'],
  },
});
