/** The interface objects of WebNN, for pages. */

import { INTERFACES } from '../generated/webnn_idl.js';
import { defineInterface } from '../webidl/interfaces.js';
import { Context } from './context.js';
import { Graph } from './graph.js';
import { GraphBuilder } from './graph_builder.js';
import { ML } from './ml.js';
import { Operand } from './operand.js';
import { Tensor } from './tensor.js';

/** The interface objects by their global names. */
export const INTERFACE_OBJECTS = {
  ML: defineInterface(INTERFACES.ML, ML),
  MLContext: defineInterface(INTERFACES.MLContext, Context),
  MLGraph: defineInterface(INTERFACES.MLGraph, Graph),
  MLOperand: defineInterface(INTERFACES.MLOperand, Operand),
  MLTensor: defineInterface(INTERFACES.MLTensor, Tensor),
  MLGraphBuilder: defineInterface(INTERFACES.MLGraphBuilder, GraphBuilder),
};
