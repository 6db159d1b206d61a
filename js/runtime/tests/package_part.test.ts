import { describe, expect, it } from 'vitest';
import { PackageFileError } from '../src/errors.js';
import { loadTFLiteModel } from '../src/load/load_tflite_model.js';
import { packagePart } from '../src/support/package_part.js';

describe('a part of the package', () => {
  it('is given, or told to be missing', async () => {
    await expect(packagePart(Promise.resolve(1))).resolves.toBe(1);
    const error: unknown = await packagePart(import('./no_such_file.js' as string)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PackageFileError);
    expect(error).toMatchObject({ code: 'PACKAGE_FILE_MISSING', cause: expect.any(Error) });
    expect((error as Error).message).toContain('beside index.mjs');
  });

  it('is not waited for where loading was ended before', async () => {
    const signal = AbortSignal.abort(new RangeError('too late'));
    await expect(loadTFLiteModel('model.tflite', { signal })).rejects.toThrow('too late');
  });
});
