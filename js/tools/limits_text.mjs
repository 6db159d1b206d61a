// Converts the JSON of an opSupportLimits() on standard input to the delegate's text format. Node strips the types.
import { text as readAll } from 'node:stream/consumers';
import { opSupportLimitsText } from '../runtime/src/webnn/op_support_limits.ts';

process.stdout.write(opSupportLimitsText(JSON.parse(await readAll(process.stdin))));
