/** Checks of MLTensors before they are used, and names for what the browser says against them. */

import { ContextLostError, messageOf, TensorError, TFLiteWebnnError, WebnnRunError } from '../errors.js';
import { checkArguments } from '../support/validate_options.js';
import type { PageWebnn } from '../webnn/webnn_context.js';
import type { MLContext, MLTensor } from '../webnn_types.js';
import { type DirectPort, descriptorOf } from './direct_graph.js';

/** The contexts of the tensors that models have created; what a page creates itself only the browser knows. */
const contexts = new WeakMap<MLTensor, MLContext>();

/** Remembers on which context a tensor was created. */
export function rememberContext(tensor: MLTensor, context: MLContext): void {
  contexts.set(tensor, context);
}

/** Whether something is an MLTensor: by its shape, so that native ones, a polyfill's and a test's all are. */
export function isMLTensor(provided: unknown): provided is MLTensor {
  const { dataType, shape, destroy } = (provided ?? {}) as Partial<MLTensor>;
  return typeof dataType === 'string' && shape !== undefined && typeof destroy === 'function';
}

/** @throws TensorError where the tensor is known to be another context's. */
export function checkContext(tensor: MLTensor, context: MLContext): void {
  const known = contexts.get(tensor);
  if (known !== undefined && known !== context) throw wrongContext();
}

/** @throws TensorError */
export function checkFits(tensor: MLTensor, port: DirectPort, context: MLContext): void {
  checkContext(tensor, context);
  const { dataType, shape } = descriptorOf(port);
  if (tensor.dataType === dataType && String(tensor.shape) === String(shape)) return;
  const { direction, info } = port;
  throw new TensorError(
    'TENSOR_MISMATCH',
    `The MLTensor for ${direction} ${info.name} is ${tensor.dataType}[${tensor.shape}]; ${dataType}[${shape}] is needed. ` +
      `create${direction === 'input' ? 'Input' : 'Output'}Tensor() creates one.`,
    { details: { [direction]: info.name, dataType, shape } },
  );
}

/** @throws TensorError for what is no tensor, or was created without the flag. */
export function checkFlag(tensor: MLTensor, flag: 'readable' | 'writable'): void {
  checkArguments(
    'tensor',
    { tensor },
    { tensor: ['an MLTensor', isMLTensor] },
    (...provided) => new TensorError('TENSOR_USAGE', ...provided),
  );
  if (tensor[flag] !== false) return;
  throw new TensorError('TENSOR_USAGE', `This MLTensor is not ${flag}: make it with { ${flag}: true }.`);
}

/** @throws TensorError where a dispatch would read and write the same tensor. */
export function checkDisjoint(inputs: Record<string, MLTensor>, outputs: Record<string, MLTensor>): void {
  const read = new Set(Object.values(inputs));
  if (!Object.values(outputs).some((tensor) => read.has(tensor))) return;
  throw new TensorError(
    'TENSOR_USAGE',
    'The same MLTensor is an input and an output of this dispatch; WebNN forbids that. Make two and swap them.',
  );
}

/** Whether the context is gone; known immediately, while its `lost` promise resolves a moment later. */
export function isLost({ context, Builder, lostReason }: PageWebnn): boolean {
  if (lostReason !== null) return true;
  try {
    new Builder(context); // on a lost context the standard has it throw
    return false;
  } catch {
    return true;
  }
}

/** The error for a failed use of MLTensors. */
export function tensorFailure(error: unknown, webnn: PageWebnn): TFLiteWebnnError {
  if (error instanceof TFLiteWebnnError) return error;
  if (isLost(webnn)) return tensorsLost(webnn.lostReason, error);
  if (error instanceof TypeError) return wrongContext(error);
  if ((error as { name?: unknown } | null)?.name === 'InvalidStateError') {
    const said = messageOf(error);
    const message = `An MLTensor of this call has been destroyed, or WebGPU has it (the browser says: ${said}).`;
    return new TensorError('TENSOR_DESTROYED', `${message} Make a new one, or destroy the GPUBuffer.`, {
      cause: error,
    });
  }
  return new WebnnRunError(`WebNN failed while using MLTensors: ${messageOf(error)}`, { cause: error });
}

function tensorsLost(reason: string | null, cause: unknown): ContextLostError {
  const why = reason === null ? '' : ` (${reason})`;
  return new ContextLostError(
    `The browser took the WebNN context away${why}, and its MLTensors with it. Make new ones with ` +
      'createInputTensor() and createOutputTensor(): the model then rebuilds itself first.',
    { cause },
  );
}

function wrongContext(cause?: unknown): TensorError {
  const said = cause === undefined ? '' : ` (the browser says: ${messageOf(cause)})`;
  return new TensorError(
    'TENSOR_CONTEXT',
    'An MLTensor of this call was created on another MLContext than the one that this model runs on, or on one that was ' +
      `lost since. Make it on model.context; to share tensors, load the models with the same context${said}.`,
    { cause },
  );
}
