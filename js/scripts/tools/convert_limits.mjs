// Converts an opSupportLimits(), { limits, userAgent } on standard input, as the runtime does. Prints { text, workarounds }:
// the limits in the delegate's text format, and its option for the bugs of that browser. Node strips the types.
import { text as readAll } from 'node:stream/consumers';
import { BROWSER_BUGS } from '../../packages/core/src/generated/browser_bugs.ts';
import { opSupportLimitsText, workaroundsFor } from '../../packages/core/src/webnn/delegate_context.ts';

const { limits, userAgent } = JSON.parse(await readAll(process.stdin));
const workarounds = workaroundsFor(null, BROWSER_BUGS, userAgent);
process.stdout.write(JSON.stringify({ text: opSupportLimitsText(limits), workarounds }));
