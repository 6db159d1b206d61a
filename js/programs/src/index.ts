/** What starts programs of wasm/programs: bundled as build/programs/run_program.mjs, and in no package. */

export { type ProgramFile, type ProgramRequest, type ProgramResult, runProgram } from './run_program.js';
