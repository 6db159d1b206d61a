/**
 * A plugin of typedoc, which checks only the types of one package for being exported: the packages of js/ are one to
 * it.
 */

import { Context } from 'typedoc';

export function load() {
  const { createSymbolReference } = Context.prototype;
  Context.prototype.createSymbolReference = function (...provided) {
    const reference = createSymbolReference.apply(this, provided);
    if (reference.package?.startsWith('@tflite-webnn/')) reference.package = 'tflite-webnn-workspace';
    return reference;
  };
}
