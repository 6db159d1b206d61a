// Runs the C++ unit tests in Node; googletest's output and its exit status become those of this process.
//
//   node run_unit_tests.mjs UNIT_TESTS.mjs [GOOGLETEST_FLAG...]
import { moduleFactory } from '../../tools/module.mjs';

const [path, ...flags] = process.argv.slice(2);
const program = await (await moduleFactory(path))();
process.exitCode = program.callMain(flags);
