/** Prints, as JSON, what the tflite engine makes of each operator: for docs/polyfill-ops.md. */

import { contextLimits } from '../src/limits.js';
import { opSupportLimits } from '../src/tflite/limits.js';
import { OP_TABLE } from '../src/tflite/op_table.js';
import { FUSION_RULES } from '../src/tflite/quantization/fusion_rules.js';

const { operators } = contextLimits(opSupportLimits());

const rows = [...OP_TABLE.values()].map(({ op, builtins }) => ({
  op,
  builtins,
  operands: operators[op] ?? {},
  isFused: op in FUSION_RULES,
}));

process.stdout.write(JSON.stringify(rows));
