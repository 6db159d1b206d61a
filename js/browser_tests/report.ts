/** The schema that the package publishes for reports. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Model, ModelReport } from 'tflite-webnn';
import { expect } from 'vitest';
import schema from '../packages/core/report.schema.json' with { type: 'json' };

const validate = new Ajv2020({ strict: false }).compile(schema);

/** The present report on a model: it has what the schema requires, and nothing else. */
export async function reportOn(model: Model): Promise<ModelReport> {
  const report = await model.report();
  validate(JSON.parse(JSON.stringify(report)));
  expect(validate.errors).toBeNull();
  return report;
}
