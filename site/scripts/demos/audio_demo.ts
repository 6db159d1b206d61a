/** Drives demo-audio.html.j2: transcribes a sound into notes, or names it by the visitor's classifier. */

import { readSound } from 'tflite-webnn/sound';
import type { WorkerModel } from 'tflite-webnn/worker';
import { asset } from '../common/assets.js';
import { byId, create } from '../common/dom.js';
import { acceptFiles } from '../common/file_intake.js';
import { formatPercent } from '../common/format.js';
import { table } from '../common/table.js';
import { DemoShell } from './demo_shell.js';
import { LoadedModel } from './loaded_model.js';
import { netOf } from './net.js';
import { findNotes, noteName } from './notes.js';
import { OwnModel } from './own_files.js';
import { pianoRoll, type TimedNote } from './piano_roll.js';
import { findPitches, frameSeconds, PITCH_RATE_HZ, windowSamplesOf } from './pitch_windows.js';
import { synthesise, TUNES, type Tune } from './synthesis.js';

const MODEL = 'basic_pitch_nmp';

/** Names a sound by a model that transcribes none. */
type Classify = (
  model: WorkerModel,
  sound: Blob,
  labels: readonly string[] | undefined,
) => Promise<{ readonly summary: string; readonly details: Node }>;

/** Runs the page. */
export async function runAudioDemo(classify: Classify): Promise<void> {
  const shell = await DemoShell.open();
  const demo = new AudioDemo(shell, classify);
  demo.listen();
  if (TUNES[0]) demo.openTune(TUNES[0]);
}

class AudioDemo {
  readonly #shell: DemoShell;
  readonly #classify: Classify;
  readonly #player = byId('player', HTMLAudioElement);
  readonly #roll = byId('roll', HTMLElement);
  readonly #stop = byId('stop', HTMLButtonElement);
  readonly #own = new OwnModel(() => this.#refresh());
  #source: { readonly file: Blob; readonly name: string } | null = null;

  constructor(shell: DemoShell, classify: Classify) {
    this.#shell = shell;
    this.#classify = classify;
  }

  listen(): void {
    acceptFiles(
      {
        handlers: {
          sound: (file) => this.#choose(file, file.name),
          model: (file) => {
            this.#shell.reveal();
            this.#own.choose(file);
          },
          text: (file) => void this.#own.chooseLabels(file).catch((error) => this.#shell.fail(error)),
        },
        requested: 'Choose a sound, or a .tflite model with its labels.',
        zone: byId('stage', HTMLElement),
        failed: (error) => this.#shell.fail(error),
      },
      byId('file', HTMLInputElement),
      byId('model-file', HTMLInputElement),
    );
    for (const tune of TUNES) {
      const button = create('button', { type: 'button', class: 'quiet', 'data-sample': tune.name, text: tune.title });
      button.addEventListener('click', () => this.#choose(synthesise(tune), tune.title));
      byId('samples', HTMLElement).append(create('li', {}, button));
    }
    this.#shell.execution.addEventListener('change', () => this.#refresh());
    this.#stop.addEventListener('click', () => this.#giveUp());
  }

  /** Transcribes a sample. */
  openTune(tune: Tune): void {
    this.#open(synthesise(tune), tune.title);
  }

  #choose(file: Blob, name: string): void {
    this.#shell.reveal();
    this.#open(file, name);
  }

  #open(file: Blob, name: string): void {
    this.#source = { file, name };
    if (this.#player.src) URL.revokeObjectURL(this.#player.src);
    this.#player.src = URL.createObjectURL(file);
    this.#refresh();
  }

  #giveUp(): void {
    this.#shell.stop();
    this.#busy(false);
    this.#shell.status.ready('Stopped.');
  }

  #refresh(): void {
    const source = this.#source;
    if (!source) return;
    this.#shell.status.busy(`Reading ${source.name} …`);
    this.#shell.start(async (signal) => {
      this.#busy(true);
      try {
        await this.#listenTo(source.file, source.name, signal);
      } finally {
        if (!signal.aborted) this.#busy(false);
      }
    });
  }

  async #listenTo(file: Blob, name: string, signal: AbortSignal): Promise<void> {
    const own = this.#own.file;
    const source = own ?? asset('models', MODEL);
    const loaded = await this.#shell.models(`${MODEL} ${this.#own.key}`, (execution) =>
      LoadedModel.load(own?.name ?? MODEL, source, execution, this.#shell.progressBar, signal),
    );
    if (!isTranscriber(loaded.model)) return this.#name(loaded, file, name, signal);
    const samples = await readSound(file, { sampleRate: PITCH_RATE_HZ });
    signal.throwIfAborted();
    this.#shell.status.busy(`Transcribing ${name} …`);
    const notes = await this.#findNotes(loaded, samples, signal);
    this.#show(notes, samples.length / PITCH_RATE_HZ);
    this.#shell.status.ready(`${name}: ${summary(notes)}`);
    await this.#shell.showRun(loaded);
  }

  /** Shows the best classes. */
  async #name(loaded: LoadedModel, file: Blob, name: string, signal: AbortSignal): Promise<void> {
    this.#roll.hidden = true;
    this.#shell.showResults();
    this.#shell.status.busy(`Listening to ${name} …`);
    const started = performance.now();
    const { summary, details } = await this.#classify(loaded.model, file, this.#own.labels);
    signal.throwIfAborted();
    loaded.clock.add(performance.now() - started);
    this.#shell.showResults(details);
    this.#shell.status.ready(`${name}: ${summary}`);
    await this.#shell.showRun(loaded);
  }

  async #findNotes(loaded: LoadedModel, samples: Float32Array, signal: AbortSignal): Promise<TimedNote[]> {
    const net = loaded.clock.timed(netOf(loaded.model));
    const pitches = await findPitches(net, samples, (done, all) => {
      signal.throwIfAborted();
      loaded.clock.lap();
      this.#shell.figures.showTimes(loaded);
      this.#shell.progressBar.showSteps(`Transcribed ${done} of ${all} windows of two seconds`, done, all);
    });
    this.#shell.progressBar.hide();
    const windowSamples = windowSamplesOf(net);
    return findNotes(pitches).map(({ midi, startFrame, endFrame, strength }) => ({
      midi,
      startSeconds: frameSeconds(startFrame, windowSamples),
      endSeconds: frameSeconds(endFrame, windowSamples),
      strength,
    }));
  }

  #show(notes: readonly TimedNote[], seconds: number): void {
    this.#roll.hidden = notes.length === 0;
    this.#roll.replaceChildren();
    if (notes.length === 0) {
      this.#shell.showResults();
      return;
    }
    const roll = pianoRoll(notes, seconds, this.#roll.clientWidth);
    roll.setAttribute('aria-label', `Piano roll: ${summary(notes)}`);
    this.#roll.append(roll);
    this.#shell.showResults(noteTable(notes));
  }

  #busy(isBusy: boolean): void {
    this.#stop.hidden = !isBusy;
    if (!isBusy) this.#shell.progressBar.hide();
  }
}

/** Whether the outputs can be read as notes: those of basic_pitch, and of models trained from it. */
function isTranscriber({ inputs, signatures }: Pick<WorkerModel, 'inputs' | 'signatures'>): boolean {
  const names = signatures[0]?.outputs.map(({ name }) => name) ?? [];
  return inputs[0]?.shape.length === 3 && names.includes('note') && names.includes('onset');
}

function summary(notes: readonly TimedNote[]): string {
  const names = new Set(notes.map(({ midi }) => noteName(midi)));
  return notes.length === 0 ? 'no notes found' : `${notes.length} notes: ${[...names].join(' ')}`;
}

function noteTable(notes: readonly TimedNote[]): Node {
  return table(
    'Notes',
    [
      { title: 'Note', cell: ({ midi }) => noteName(midi), heading: true },
      { title: 'MIDI', cell: ({ midi }) => midi, numeric: true },
      { title: 'Start', cell: ({ startSeconds }) => `${startSeconds.toFixed(2)} s`, numeric: true },
      { title: 'Duration', cell: (note) => `${(note.endSeconds - note.startSeconds).toFixed(2)} s`, numeric: true },
      { title: 'Strength', cell: ({ strength }) => formatPercent(strength), numeric: true },
    ],
    notes,
  );
}
