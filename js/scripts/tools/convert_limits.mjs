// Converts an opSupportLimits(), { limits, userAgent } on standard input, as the runtime does. Prints { text, workarounds }:
// the limits in the delegate's text format, and its option for the bugs of that browser. Node strips the types.
import { text as readAll } from 'node:stream/consumers';
import { BROWSER_BUGS } from 'tflite-webnn/generated/browser_bugs';
import { opSupportLimitsText, workaroundsFor } from 'tflite-webnn/webnn/delegate_context';

const { limits, userAgent } = JSON.parse(await readAll(process.stdin));
const workarounds = workaroundsFor(null, BROWSER_BUGS, userAgent);
process.stdout.write(JSON.stringify({ text: opSupportLimitsText(limits), workarounds }));
