/** Settings of known detectors, by name. */

import { checkArguments, type Members, oneOf } from './arguments.js';

/**
 * The options of a head: given, or those of a preset.
 *
 * @throws OptionError, which lists the presets for a name that is none.
 */
export function presetOr<Options extends object, Name extends string>(
  call: string,
  options: Options | Name,
  presets: Readonly<Record<Name, Options>>,
  kinds: Members,
): Options {
  const isName = typeof options === 'string';
  checkArguments(call, { options }, { options: isName ? oneOf(Object.keys(presets)) : kinds });
  return isName ? presets[options] : options;
}
