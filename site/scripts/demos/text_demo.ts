/** What the demos of texts share: files, the form, and the speed test of the sample. */

import { byId } from '../common/dom.js';
import { acceptFiles } from '../common/file_intake.js';
import type { DemoShell, Work } from './demo_shell.js';
import type { OwnFiles } from './own_files.js';

/** Of the sample, whose results stand for nothing. */
export const SPEED_TEST = 'A speed test: the sample’s weights are random.';

const READY = 'Choose your model and its tokenizer, or start the speed test.';

/**
 * Runs the page: on files that the visitor chooses or drops, or on the sample.
 *
 * @param work - Runs the model that is chosen.
 */
export function runTextDemo(shell: DemoShell, files: OwnFiles, work: Work): void {
  let hasRun = false;
  const start = () => {
    hasRun = true;
    shell.status.busy('Starting …');
    shell.start(work);
  };
  const startInView = () => {
    shell.reveal();
    start();
  };
  /** The demo starts without a click when both files are there. */
  const startIfComplete = () => {
    if (files.areOwn && files.hasTokenizer) return startInView();
    const missing = files.areOwn ? 'tokenizer' : 'model';
    shell.stop();
    shell.status.ready(`Choose the ${missing}, too. ${files.areOwn ? `${files.name} is ready.` : ''}`.trim());
  };
  const recognized = acceptFiles(
    {
      handlers: {
        model(file) {
          files.chooseModel(file);
          startIfComplete();
        },
        text(file) {
          files.chooseTokenizer(file);
          startIfComplete();
        },
      },
      requested: 'Choose a .tflite model, or its tokenizer: tokenizer.json, vocab.txt or a SentencePiece .model.',
      zone: byId('own', HTMLElement),
      failed: (error) => shell.fail(error),
    },
    byId('model-file', HTMLInputElement),
    byId('tokenizer-file', HTMLInputElement),
  );
  byId('form', HTMLFormElement).addEventListener('submit', async (event) => {
    event.preventDefault();
    await recognized();
    if (files.areOwn) return startInView();
    shell.status.ready(READY);
    byId('model-file', HTMLInputElement).focus();
  });
  byId('speed-test', HTMLButtonElement).addEventListener('click', () => {
    files.clear();
    startInView();
  });
  shell.execution.addEventListener('change', () => {
    if (hasRun) start();
  });
  shell.status.ready(READY);
}
