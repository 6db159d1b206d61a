/** Starts programs of wasm/programs: bundled as build/programs/run_program.mjs, in no package. */

export { type ProgramFile, type ProgramRequest, type ProgramResult, runProgram } from './run_program.js';
