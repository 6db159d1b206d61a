/** The model's file for models that are prepared beside the interpreter's own. */

import { HeapFile, type ModelFile } from '../../runtime/src/internals.js';

/** Lies in the interpreter's heap, which stays as long as it does: nobody needs a copy to keep. */
export class SharedFile extends HeapFile {
  override takeInstance(): null {
    return null;
  }

  override compact(): ModelFile {
    return this;
  }
}
