import { type ModelReport, type PartitionReport, renderReport } from 'tflite-webnn';
import { describe, expect, it } from 'vitest';
import type { ModelDescription } from '../src/description.js';
import { makeSchedule } from '../src/model/schedule.js';
import { makeReport, type ReportParts } from '../src/report/report.js';
import { ON_CPU, STEPPED } from './fakes/sin_model.js';

function partsOf(description: ModelDescription, reason: string | null = null): ReportParts {
  return {
    description,
    schedule: makeSchedule(description),
    prepared: null,
    options: { enableWebnnDelegate: true, webnnDelegateOptions: { devicePreference: 'npu' } },
    wasm: { variant: 'simd', threads: 1, threadsReason: null },
    webnn: {
      reason,
      backend: null,
      opSupportLimits: null,
      excludedNodes: [],
      contextLosses: 0,
      lastContextLoss: null,
    },
    xnnpack: description.xnnpack,
    timingsMs: null,
  };
}

function reportOf(description: ModelDescription, reason: string | null = null): ModelReport {
  return makeReport(partsOf(description, reason));
}

/** STEPPED with these changes of its nodes. */
function withNodes(changes: Readonly<Record<number, object>>): ModelDescription {
  return { ...STEPPED, nodes: STEPPED.nodes.map((node) => ({ ...node, ...changes[node.index] })) };
}

it('makeReport() has one thread where the others could not be started', () => {
  const wasm = { variant: 'simd-threads', threads: 4, threadsReason: 'a thread could not be started' } as const;
  const { threads } = makeReport({ ...partsOf({ ...ON_CPU, threads: 4 }), wasm });
  expect(threads).toEqual({ requested: null, used: 1, reason: 'a thread could not be started' });
});

it.each([
  [1, 4, null, 'runs are too short for more to make them faster'],
  [4, 4, null, null],
  [1, 1, 'the page is not isolated', 'the page is not isolated'],
])(
  'makeReport() has the %i threads of %i that compute, and why they are not more',
  (used, threads, threadsReason, reason) => {
    const parts = partsOf({ ...ON_CPU, threads: used });
    const report = makeReport({
      ...parts,
      options: { numThreads: 4 },
      wasm: { variant: 'simd', threads, threadsReason },
    });
    expect(report.threads).toEqual({ requested: 4, used, reason });
  },
);

describe('renderReport', () => {
  it('reads each node of a large partition a few times', () => {
    let reads = 0;
    const report = reportOf(STEPPED);
    const [first] = report.nodes;
    const nodes = Array.from({ length: 1000 }, (_, index) => ({
      ...first,
      get index() {
        reads++;
        return index;
      },
    })) as ModelReport['nodes'];
    const [partition] = report.partitions as [PartitionReport];
    renderReport({ ...report, nodes, partitions: [{ ...partition, nodes: nodes.map((_, index) => index) }] });
    expect(reads).toBeLessThan(10_000);
  });

  it('writes an explanation without times', () => {
    expect(
      renderReport(
        reportOf(withNodes({ 1: { reason: 'nor tomorrow' }, 2: { reason: 'not today' }, 4: { reason: 'not today' } })),
      ),
    ).toBe(
      `execution mode  stepped: WebNN and the CPU alternate
on WebNN        2 of 5 nodes, in 2 partitions
quantized       none
copies a run    64 bytes into and out of WebNN
context         device preference npu, power preference default
wasm            simd
on the CPU      2 nodes: not today
on the CPU      1 node: nor tomorrow

partition 0 on WebNN: 1 node
  in   16 bytes
    t0 float32[4] t0
  out  16 bytes
    t1 float32[4] t1
  nodes
    0  SIN  sin

partition 1 on CPU: 2 nodes
  in   32 bytes
    t1 float32[4] t1
    t0 float32[4] t0
  out  32 bytes
    t2 float32[4] t2
    t3 float32[4] t3
  nodes
    1  ADD  nor tomorrow
    2  MUL  not today

partition 2 on WebNN: 1 node
  in   16 bytes
    t3 float32[4] t3
  out  16 bytes
    t4 float32[4] t4
  nodes
    3  SIN  sin

partition 3 on CPU: 1 node
  in   32 bytes
    t2 float32[4] t2
    t4 float32[4] t4
  out  16 bytes
    t5 float32[4] t5
  nodes
    4  ADD  not today
`,
    );
  });

  it('puts what WebNN cannot run before what stays because of it, and shortens names', () => {
    const cost = (ms: string) => ({ supported: true, reason: `the boundary takes ${ms} ms` });
    const name = `torch${'.Linear'.repeat(200)}`;
    const reason = `tensor 2 '${name}' has rank 9`;
    const text = renderReport(
      reportOf(withNodes({ 1: cost('0.15'), 2: { supported: false, reason }, 4: cost('0.30') })),
    );
    const short = `torch${'.Linear'.repeat(3)}.Li…${'ar'}${'.Linear'.repeat(3)}`;
    const first = text.indexOf('on the CPU      1 node: tensor 2');
    expect(first).toBeGreaterThan(0);
    expect(text.indexOf('then also       2 nodes: the boundary takes 0.15 to 0.30 ms')).toBeGreaterThan(first);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(120);
    expect(text).toContain(short.slice(0, 20));
  });

  it('says how quantized nodes run, and counts repeated operators', () => {
    const report = reportOf(
      withNodes({
        0: { quantized: 'float', notFused: 'the scale', webnnOps: ['dequantizeLinear', 'dequantizeLinear', 'sin'] },
        2: { quantized: 'cpu' },
        3: { quantized: 'fused', webnnOps: [] },
      }),
    );
    const text = renderReport(report);
    expect(text).toContain('quantized       1 fused, 1 in float, 1 on the CPU\n');
    expect(text).toContain('not fused       1 node: the scale\n');
    expect(text).toContain('    0  SIN  float  dequantizeLinear x2, sin; not fused: the scale\n');
    expect(text).toContain('    3  SIN  fused  folded while loading\n');
  });

  it('names the composites that nodes were inlined from', () => {
    const text = renderReport(
      reportOf(
        withNodes({
          1: { composite: { name: 'odml.rms_norm', node: 7 }, reason: 'not today' },
          2: { composite: { name: 'odml.rms_norm', node: 7 } },
          3: { composite: { name: 'odml.rms_norm', node: 8 } },
          4: { composite: { name: 'odml.gelu', node: 9 } },
        }),
      ),
    );
    expect(text).toContain('inlined         1 odml.gelu as 1 node\ninlined         2 odml.rms_norm as 3 nodes\n');
    expect(text).toContain('    1  ADD  not today; in odml.rms_norm, node 7 of the file\n');
    expect(text).toContain('    3  SIN  sin; in odml.rms_norm, node 8 of the file\n');
  });

  it('names the patterns that nodes are lowered with', () => {
    const pattern = { name: 'layer normalization', node: 3 };
    const text = renderReport(reportOf(withNodes({ 0: { pattern, webnnOps: [] }, 3: { pattern } })));
    expect(text).toContain('lowered as one  1 layer normalization as 2 nodes\n');
    expect(text).toMatch(/ 0 {2}\w+ +with node 3: layer normalization\n/);
    expect(text).toContain('    3  SIN  sin: layer normalization\n');
  });

  it('has times, devices, losses and rejections if there are any', () => {
    const report = reportOf(STEPPED);
    const text = renderReport({
      ...report,
      partitions: report.partitions.map((partition, index) =>
        index === 0
          ? { ...partition, buildMs: 12.345, devices: ['cpu'], dispatchMs: { count: 3, last: 1.5, mean: 2 } }
          : partition,
      ),
      totals: { ...report.totals, dispatchMs: 2 },
      webnn: {
        ...report.webnn,
        backend: 'a polyfill',
        opSupportLimits: { add: {}, sin: {} },
        excludedNodes: [{ node: 4, reason: 'the browser could not' }],
        contextLosses: 2,
        lastContextLoss: 'driver reset',
      },
      timingsMs: { compile: 10, init: 20, build: 12.345 },
    });
    expect(text).toContain(
      'partition 0 on WebNN (cpu): 1 node, built in 12.3 ms, dispatch 1.50 ms (mean of 3: 2.00)\n',
    );
    expect(text).toContain('power preference default; backend a polyfill; 2 rows of support limits\n');
    expect(text).toContain('time, ms        compile 10.0, init 20.0, build 12.3, dispatches 2.00 a run\n');
    expect(text).toContain('context lost    2 times, rebuilt; the last time: driver reset\n');
    expect(text).toContain('rejected        node 4: the browser could not\n');
  });

  it('names the part of queued dispatches, and several devices', () => {
    const report = reportOf(STEPPED);
    const [first, ...others] = report.partitions;
    const queued = { ...first, devices: ['gpu', 'npu'], queuedDispatches: 2 } as PartitionReport;
    expect(renderReport({ ...report, partitions: [queued, ...others] })).toContain(
      'partition 0 on WebNN (gpu, npu): 1 node, 2 by dispatch() or stream(), not timed\n',
    );
  });

  it('aligns indices, ops and forms, and leaves no spaces at the ends', () => {
    const nodes = withNodes({ 1: { op: 'ADD_N', quantized: 'cpu' }, 2: { quantized: 'float' } }).nodes;
    const shifted = nodes.map((node) => ({ ...node, index: node.index + 8 }));
    const partitions = STEPPED.partitions.map((part) => ({ ...part, nodes: part.nodes.map((index) => index + 8) }));
    const text = renderReport(reportOf({ ...STEPPED, nodes: shifted, partitions }));
    expect(text).toContain('  nodes\n     9  ADD_N  cpu\n    10  MUL    float\n');
    expect(text).not.toMatch(/ \n/);
  });

  it.each([
    [{ requested: 4, used: 4, reason: null }, 'threads         4\n'],
    [{ requested: 4, used: 1, reason: 'no' }, 'threads         1 of the 4 requested: no\n'],
    [{ requested: 1, used: 1, reason: null }, null],
    [{ requested: null, used: 1, reason: null }, null],
  ])('mentions threads only if several were requested: %j', (threads, line) => {
    const text = renderReport({ ...reportOf(STEPPED), threads });
    if (line === null) expect(text).not.toContain('threads');
    else expect(text).toContain(line);
  });

  it.each(['direct: WebNN runs the entire model', 'blocking: WebNN and the CPU alternate, while the thread waits'])(
    'explains the mode %s',
    (line) => {
      const executionMode = line.split(':')[0] as ModelReport['executionMode'];
      expect(renderReport({ ...reportOf(STEPPED), executionMode })).toContain(`execution mode  ${line}\n`);
    },
  );

  it('reports what XNNPACK may not run', () => {
    const report = reportOf(STEPPED);
    const excludedNodes = [
      { subgraph: 0, node: 3, reason: 'a bug' },
      { subgraph: 0, node: 5, reason: 'a bug' },
      { subgraph: 1, node: 3, reason: 'a bug' },
      { subgraph: null, node: null, reason: 'another' },
    ];
    expect(renderReport({ ...report, xnnpack: { ...report.xnnpack, excludedNodes } })).toContain(
      [
        'not on XNNPACK  nodes 3, 5 of subgraph 0: a bug\n',
        'not on XNNPACK  node 3 of subgraph 1: a bug\n',
        'not on XNNPACK  all nodes of some subgraph: another\n',
      ].join(''),
    );
  });

  it('names the workarounds that were used', () => {
    const delegate = { ...STEPPED.delegate, workarounds: ['gemm_nan', 'concat_rank'] };
    const report = reportOf({ ...STEPPED, delegate });
    expect(report.webnn.workarounds).toEqual(['gemm_nan', 'concat_rank']);
    expect(renderReport(report)).toContain('workarounds     gemm_nan, concat_rank\n');
    expect(renderReport(reportOf(STEPPED))).not.toContain('workarounds');
  });

  it('names those of other subgraphs, too, each once', () => {
    const using = (workarounds: string[]) => ({ ...STEPPED, delegate: { ...STEPPED.delegate, workarounds } });
    const other = { index: 1, inputs: [], outputs: [] };
    const description = { ...using(['gemm_nan']), subgraphs: [other, { ...other, index: 2 }] };
    const part = using(['gemm_nan', 'concat_rank']);
    const subgraphPart = (index: number) =>
      index === 1 ? { description: part, schedule: makeSchedule(part), prepared: null, excludedNodes: [] } : undefined;
    expect(makeReport({ ...partsOf(description), subgraphPart }).webnn.workarounds).toEqual([
      'gemm_nan',
      'concat_rank',
    ]);
  });

  it('says how the signatures of other subgraphs run', () => {
    const { nodes, totals, partitions } = reportOf(withNodes({ 1: { reason: 'not today' } }));
    const none = { nodes: [], partitions: [], totals: null, excludedNodes: [] };
    const text = renderReport({
      ...reportOf(STEPPED),
      subgraphs: [
        { index: 1, signatures: ['decode', 'more'], executionMode: null, ...none },
        { index: 2, signatures: ['encode'], executionMode: 'cpu', ...none },
        {
          index: 3,
          signatures: ['x'.repeat(61)],
          executionMode: 'stepped',
          ...{ nodes, totals, partitions },
          excludedNodes: [{ node: 2, reason: 'rejected' }],
        },
      ],
    });
    const short = `${'x'.repeat(30)}…${'x'.repeat(29)}`;
    expect(text).toContain(`signature       decode, more: prepared when it first runs
signature       encode: in wasm, as it shares the model's instance
signature       ${short}: stepped, 2 of 5 nodes on WebNN, in 2 partitions
rejected        node 2 of ${short}: rejected
on the CPU      1 node: not today
`);
  });

  it('has no control characters, which files may bring, and leaves the report as it is', () => {
    const report = reportOf(ON_CPU, 'a\u001b[2J\n::error::b\u009b\u202e');
    expect(renderReport(report)).toContain(String.raw`not on WebNN    a\u001b[2J\u000a::error::b\u009b\u202e`);
    expect(report.webnn.reason).toBe('a\u001b[2J\n::error::b\u009b\u202e');
  });

  it('says why nothing runs on WebNN', () => {
    const text = renderReport(reportOf(ON_CPU, 'no WebNN here'));
    expect(text).toContain('execution mode  cpu: nothing runs on WebNN\n');
    expect(text).toContain('not on WebNN    no WebNN here\n');
  });
});
