/** Runs a program of wasm/programs once. A helper worker computes its partitions with WebNN while it waits. */

import type { WebnnDelegateOptions } from 'tflite-webnn';
import { BlockingHelper } from 'tflite-webnn/blocking/blocking_helper';
import type { WasmBindings } from 'tflite-webnn/wasm/wasm_binding_types';
import { endThreads } from 'tflite-webnn/wasm/wasm_module';
import { ProgramHost } from './program_host.js';

/** A file of the program's file system. */
export interface ProgramFile {
  /** Absolute path. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** A program and its environment. */
export interface ProgramRequest {
  /** Default export of the program's script. */
  readonly createProgram: (settings: object) => Promise<ProgramModule>;
  readonly wasmBinary: Uint8Array;
  readonly arguments: readonly string[];
  /** The absolute path of the directory in which the program runs. */
  readonly workingDirectory: string;
  /** Files that the program may read. */
  readonly files: readonly ProgramFile[];
  /** Existing directories, into which it may write files. */
  readonly directories: readonly string[];
  /** The WebNN to use, see the option of this name. */
  readonly polyfill: NonNullable<WebnnDelegateOptions['polyfill']>;
  /** The package's webnn_helper.mjs. */
  readonly helper: URL;
  print(line: string): void;
  printError(line: string): void;
}

export interface ProgramResult {
  readonly exitStatus: number;
  /** Files that it wrote. */
  readonly written: readonly ProgramFile[];
}

/** The used part of Emscripten's file system. */
interface FileSystem {
  mkdirTree(path: string): void;
  chdir(path: string): void;
  chmod(path: string, mode: number): void;
  writeFile(path: string, content: Uint8Array): void;
  readFile(path: string): Uint8Array<ArrayBuffer>;
  readdir(path: string): readonly string[];
  stat(path: string): { readonly mode: number };
  isDir(mode: number): boolean;
}

/** An instance of a program. */
interface ProgramModule extends WasmBindings {
  readonly FS: FileSystem;
  callMain(parameters: readonly string[]): number;
}

/** The flags for the number of threads of TFLite's tools: benchmark_model, inference_diff. */
const THREADS_FLAG = /^--num(?:_interpreter)?_threads=(\d+)$/;
const READ_ONLY = 0o444;
/** Exit status of a program that aborts, as in a shell. */
const ABORTED = 134;
/** Directories without regular files. */
const SYSTEM_DIRECTORIES: ReadonlySet<string> = new Set(['/dev', '/proc']);

/**
 * Runs main() and returns when it is done.
 *
 * @throws BlockingError if this thread must not wait; WorkerFailedError if the helper does not start.
 */
export async function runProgram(request: ProgramRequest): Promise<ProgramResult> {
  const helper = await BlockingHelper.start(request.helper);
  let program: ProgramModule | null = null;
  try {
    program = await request.createProgram({
      wasmBinary: request.wasmBinary,
      print: request.print,
      printErr: request.printError,
      threadPoolSize: threadCount(request.arguments) - 1,
    });
    const host = new ProgramHost(helper, request.polyfill, request.printError);
    host.attach(program);
    mount(program.FS, request);
    const exitStatus = callMain(program, host, request);
    return { exitStatus, written: writtenFiles(program.FS, request) };
  } finally {
    if (program !== null) endThreads(program);
    helper.terminate();
  }
}

/** Includes the thread that runs main(). */
function threadCount(parameters: readonly string[]): number {
  const counts = parameters.flatMap((parameter) => THREADS_FLAG.exec(parameter)?.[1] ?? []);
  return Math.max(1, Number(counts.at(-1) ?? 1));
}

function mount(fileSystem: FileSystem, { files, directories, workingDirectory }: ProgramRequest): void {
  for (const directory of [workingDirectory, ...directories]) fileSystem.mkdirTree(directory);
  for (const { path, content } of files) {
    fileSystem.mkdirTree(path.slice(0, path.lastIndexOf('/')) || '/');
    fileSystem.writeFile(path, content);
    fileSystem.chmod(path, READ_ONLY);
  }
  fileSystem.chdir(workingDirectory);
}

function callMain(program: ProgramModule, host: ProgramHost, request: ProgramRequest): number {
  try {
    return program.callMain(request.arguments);
  } catch (error) {
    request.printError(`${error} (WebNN had computed ${host.dispatchCount} graphs)`);
    return ABORTED;
  }
}

function writtenFiles(fileSystem: FileSystem, { files }: ProgramRequest): ProgramFile[] {
  const provided = new Set(files.map(({ path }) => path));
  const paths = filesBelow(fileSystem, '').filter((path) => !provided.has(path));
  return paths.map((path) => ({ path, content: fileSystem.readFile(path) }));
}

function filesBelow(fileSystem: FileSystem, directory: string): string[] {
  const names = fileSystem.readdir(directory || '/').filter((name) => name !== '.' && name !== '..');
  return names.flatMap((name) => {
    const path = `${directory}/${name}`;
    if (SYSTEM_DIRECTORIES.has(path)) return [];
    return fileSystem.isDir(fileSystem.stat(path).mode) ? filesBelow(fileSystem, path) : [path];
  });
}
