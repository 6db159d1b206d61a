// Converts an opSupportLimits(), { limits, userAgent } on standard input, as the runtime does. Prints { kept, text }: the
// limits without the browser's known faults, and all of them in the delegate's text format. Node strips the types.
import { text as readAll } from 'node:stream/consumers';
import { BROKEN_PROMISES } from '../runtime/src/generated/broken_promises.ts';
import { keptPromises } from '../runtime/src/webnn/kept_promises.ts';
import { opSupportLimitsText } from '../runtime/src/webnn/op_support_limits.ts';

const { limits, userAgent } = JSON.parse(await readAll(process.stdin));
const kept = keptPromises(limits, userAgent, BROKEN_PROMISES);
process.stdout.write(JSON.stringify({ kept, text: opSupportLimitsText(limits) }));
