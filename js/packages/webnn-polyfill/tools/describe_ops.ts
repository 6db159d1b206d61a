/** Prints the tflite engine's table of operators as JSON, for docs/reference/polyfill-ops.md. */

import { contextLimits } from '../src/api/limits.js';
import { FAMILIES, OP_TABLE, opSupportLimits } from '../src/tflite/op_table.js';
import { FUSION_RULES } from '../src/tflite/quantization/fusion_rules.js';

const { operators } = contextLimits(opSupportLimits());

const families = new Map(Object.entries(FAMILIES).flatMap(([name, rows]) => rows.map(({ op }) => [op, name])));

const rows = [...OP_TABLE.values()].map(({ op, builtins }) => ({
  op,
  family: families.get(op),
  builtins,
  operands: operators[op] ?? {},
  isFused: op in FUSION_RULES,
}));

process.stdout.write(JSON.stringify(rows));
