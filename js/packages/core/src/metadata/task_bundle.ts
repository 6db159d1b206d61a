/** MediaPipe's `.task` bundles: zip archives of models, of files for them, and of further bundles. */

import { ArchiveError } from '../errors.js';
import { type ArchiveEntry, filesByName } from './archive.js';
import { openArchive } from './open_metadata.js';

/**
 * An open `.task` bundle. Created by {@link openTaskBundle}.
 *
 * @group metadata.mjs
 */
export class TaskBundle {
  /** Its files, in its order. Names of files in directories have the directories in them. */
  readonly files: readonly ArchiveEntry[];
  readonly #byName: ReadonlyMap<string, ArchiveEntry>;

  /** @internal */
  static async open(bytes: Uint8Array, where: string): Promise<TaskBundle> {
    const files = await openArchive(bytes).catch((cause: unknown) => {
      if (!(cause instanceof ArchiveError)) throw cause;
      throw new ArchiveError(cause.code, `${where} cannot be read. ${cause.message}`, {
        cause,
        details: cause.details,
      });
    });
    return new TaskBundle(files);
  }

  private constructor(files: readonly ArchiveEntry[]) {
    this.files = files;
    this.#byName = filesByName(files);
  }

  /** Names of its models. */
  get models(): readonly string[] {
    return this.#namesEnding('.tflite');
  }

  /** Names of the bundles in it. */
  get bundles(): readonly string[] {
    return this.#namesEnding('.task');
  }

  /**
   * The bytes of a file: a view into the bundle where it is stored, as MediaPipe does, else unpacked.
   *
   * @param name - One of the names in `files`.
   * @throws ArchiveError where there is no such file, or it is damaged.
   */
  bytes(name: string): Uint8Array {
    return this.#entry(name).bytes();
  }

  /**
   * Opens a bundle in this one.
   *
   * @param name - One of `bundles`.
   * @throws ArchiveError where there is no such file, or it is no bundle.
   *
   * @example
   * const hands = await bundle.open('hand_landmarker.task');
   * const detector = await loadTFLiteModel(hands.bytes('hand_detector.tflite'));
   */
  open(name: string): Promise<TaskBundle> {
    return TaskBundle.open(this.bytes(name), name);
  }

  #entry(name: string): ArchiveEntry {
    const entry = this.#byName.get(name);
    if (entry !== undefined) return entry;
    const names = this.files.map((file) => file.name).join(', ') || 'none';
    throw new ArchiveError('TASK_BUNDLE', `The bundle has no file ${name}; it has ${names}.`, { details: { name } });
  }

  #namesEnding(suffix: string): string[] {
    return this.files.flatMap(({ name }) => (name.endsWith(suffix) ? name : []));
  }
}
