import { mergeConfig } from 'vitest/config';
import config from './vitest.config.js';

/**
 * For Stryker: the test files that it runs for a mutant share their modules, which takes a third of the time. It tests
 * mutants of code that runs on import last, and activates them before the import.
 */
export default mergeConfig(config, {
  test: {
    isolate: false,
    sequence: { shuffle: false },
    exclude: ['tfjs-tflite/**', 'images/**'], // one of their tests mocks a module, which the others would get
  },
});
