import { BlockingHelper } from 'tflite-webnn/blocking/blocking_helper';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { runProgram } from '../src/run_program.js';

const terminated = vi.fn();

beforeEach(() => {
  terminated.mockClear();
  vi.spyOn(BlockingHelper, 'start').mockResolvedValue({ terminate: terminated } as unknown as BlockingHelper);
});

/** The used part of Emscripten's file system: absolute paths, in a map. */
function fakeProgram(main: (files: Map<string, Uint8Array>) => number) {
  const files = new Map<string, Uint8Array>();
  const directories = new Set(['/', '/dev']);
  const modes = new Map<string, number>();
  const FS = {
    mkdirTree: (path: string) =>
      path.split('/').map((_, i, all) => directories.add(all.slice(0, i + 1).join('/') || '/')),
    chdir: vi.fn(),
    chmod: (path: string, mode: number) => modes.set(path, mode),
    writeFile: (path: string, content: Uint8Array) => files.set(path, content),
    readFile: (path: string) => files.get(path),
    readdir: (directory: string) => {
      const start = directory === '/' ? '/' : `${directory}/`;
      const below = [...files.keys(), ...directories].filter((path) => path.startsWith(start) && path !== '/');
      return ['.', '..', ...new Set(below.map((path) => path.slice(start.length).split('/')[0]))];
    },
    stat: (path: string) => ({ mode: directories.has(path) ? 1 : 0 }),
    isDir: (mode: number) => mode === 1,
  };
  return { FS, modes, HEAPU8: new Uint8Array(0), callMain: vi.fn(() => main(files)) };
}

function request(program: object) {
  return {
    createProgram: async () => program as never,
    wasmBinary: new Uint8Array(0),
    arguments: ['--graph=m.tflite'],
    workingDirectory: '/work',
    files: [{ path: '/models/m.tflite', content: new Uint8Array([1]) }],
    directories: ['/out'],
    polyfill: 'never' as const,
    helper: new URL('file:///webnn_helper.mjs'),
    print: vi.fn(),
    printError: vi.fn(),
  };
}

describe('runProgram', () => {
  it('passes files read-only, and returns written ones', async () => {
    const program = fakeProgram((files) => {
      files.set('/out/profile.csv', new Uint8Array([7]));
      files.set('/dev/null', new Uint8Array(0));
      return 3;
    });
    const result = await runProgram(request(program));
    expect(result.exitStatus).toBe(3);
    expect(result.written).toEqual([{ path: '/out/profile.csv', content: new Uint8Array([7]) }]);
    expect(program.modes.get('/models/m.tflite')).toBe(0o444);
    expect(program.FS.chdir).toHaveBeenCalledWith('/work');
    expect(program.callMain).toHaveBeenCalledWith(['--graph=m.tflite']);
    expect(terminated).toHaveBeenCalled();
  });

  it.each([
    [[], 0],
    [['--num_threads=1'], 0],
    [['--num_threads=-1'], 0],
    [['--num_threads=3'], 2],
    [['--num_interpreter_threads=2'], 1],
  ])('has the number of threads of the flags %j', async (flags, poolSize) => {
    const end = vi.fn();
    const program = Object.assign(
      fakeProgram(() => 0),
      { PThread: { unusedWorkers: [], terminateAllThreads: end } },
    );
    const createProgram = vi.fn(async () => program as never);
    await runProgram({ ...request(program), createProgram, arguments: ['--graph=m.tflite', ...flags] });
    expect(createProgram).toHaveBeenCalledWith(expect.objectContaining({ threadPoolSize: poolSize }));
    expect(end).toHaveBeenCalled();
  });

  it('reports a program that aborts', async () => {
    const requested = request(
      fakeProgram(() => {
        throw new Error('Aborted()');
      }),
    );
    expect((await runProgram(requested)).exitStatus).toBe(134);
    expect(requested.printError).toHaveBeenCalledWith('Error: Aborted() (WebNN had computed 0 graphs)');
  });
});
