/** The failure of a graph's build, within the runtime. */

import { type ErrorContext, TFLiteWebnnError } from '../errors.js';

/** WebNN refused to build a graph. Loading never throws it: the model falls back, and the report has the message. */
export class WebnnBuildError extends TFLiteWebnnError {
  override readonly name = 'WebnnBuildError';
  override readonly code = 'WEBNN_BUILD_FAILED';
  /** Index of the TFLite node that was refused, or null where the browser does not say. */
  readonly node: number | null;

  /** @internal */
  constructor(message: string, node: number | null, context: ErrorContext = {}) {
    super(message, context);
    this.node = node;
  }
}
