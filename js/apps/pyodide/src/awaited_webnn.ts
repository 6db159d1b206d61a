/** A model on WebNN for the interpreter: prepared and run with promises, in this thread. */

import type { InputShapes, TFLiteModelOptions } from 'tflite-webnn';
import { RecoveringModel } from 'tflite-webnn/model/recovering_model';
import { runnerOptions } from 'tflite-webnn/model/runner_options';
import { ShapedModels } from 'tflite-webnn/model/shapes';
import { type ModelReport, reportOn } from 'tflite-webnn/report/report';
import type { WasmRunner } from 'tflite-webnn/wasm/wasm_runner';
import type { EmbeddedWasm } from './embedded_wasm.js';
import { openPythonWebnn } from './python_webnn.js';
import { inputViews, keepOutputs, outputViews, type SharedFile } from './shared_memory.js';

/** The parts of a model on WebNN. */
export interface WebnnParts {
  readonly wasm: EmbeddedWasm;
  readonly file: SharedFile;
  readonly options: TFLiteModelOptions;
}

/** A model without nodes on WebNN: the interpreter runs it itself. */
interface Rejection {
  readonly key: string;
  readonly report: ModelReport;
}

/** Calls must not overlap. */
export class AwaitedWebnn {
  readonly #parts: WebnnParts;
  #shaped: ShapedModels | null = null;
  #key = '';
  #rejection: Rejection | null = null;

  constructor(parts: WebnnParts) {
    this.#parts = parts;
  }

  /** Whether the interpreter is known to run these shapes itself. */
  isRejected(shapes: InputShapes): boolean {
    return this.#rejection?.key === JSON.stringify(shapes);
  }

  /**
   * Prepares the model for shapes of its inputs; a second call has no effect.
   *
   * @returns whether it is on WebNN; else the interpreter runs it itself, and the report has the reason.
   */
  async prepare(shapes: InputShapes): Promise<boolean> {
    if (this.isRejected(shapes)) return false;
    if (this.#shaped === null) return this.#prepareFirst(shapes);
    const key = JSON.stringify(shapes);
    if (key !== this.#key) {
      await this.#shaped.select(shapes);
      this.#shaped.current.prepared.resetState();
      this.#key = key;
    }
    return true;
  }

  /**
   * Runs the model on the inputs in the interpreter's heap, and writes the outputs there.
   *
   * @returns whether it ran; see prepare().
   */
  async run(interpreter: WasmRunner, shapes: InputShapes): Promise<boolean> {
    if (!(await this.prepare(shapes)) || this.#shaped === null) return false;
    const model = this.#shaped.current;
    const { inputs, outputs } = model.prepared.description;
    const provided = outputViews(interpreter, outputs);
    const results = await model.run(inputViews(interpreter, inputs), provided);
    keepOutputs(interpreter, outputs, provided, results);
    return true;
  }

  /** Where its nodes run; null before it is prepared. */
  get report(): ModelReport | null {
    if (this.#shaped !== null) return this.#reportOn(this.#shaped.current);
    return this.#rejection?.report ?? null;
  }

  resetVariables(): void {
    this.#shaped?.current.prepared.resetState();
  }

  release(): void {
    this.#shaped?.release();
    this.#shaped = null;
  }

  async #prepareFirst(inputShapes: InputShapes): Promise<boolean> {
    const { wasm, file } = this.#parts;
    const options = runnerOptions({ ...this.#parts.options, inputShapes });
    const open = () => openPythonWebnn(this.#parts.options.webnnDelegateOptions ?? {}, wasm);
    const webnn = await open();
    const model = await RecoveringModel.prepare({ wasm, model: file, options, webnn, reopenWebnn: open });
    this.#key = JSON.stringify(inputShapes);
    if (model.prepared.schedule.mode === 'cpu') {
      this.#rejection = { key: this.#key, report: this.#reportOn(model) };
      model.release();
      return false;
    }
    this.#shaped = new ShapedModels(model);
    return true;
  }

  #reportOn(model: RecoveringModel): ModelReport {
    return reportOn(model, this.#parts.options, this.#parts.wasm, 0);
  }
}
