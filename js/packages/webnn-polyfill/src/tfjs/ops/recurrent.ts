/** gru and lstm, and their cells. */

import type { Call } from '../call.js';
import { row } from '../row.js';
import { gruCell } from './gru.js';
import { lstmCell } from './lstm.js';
import { compileCell, compileNetwork } from './recurrent_network.js';

/** https://www.w3.org/TR/webnn/#api-mlgraphbuilder-gru and the others */
export const RECURRENT = [
  row('gru', (call) => compileNetwork(call as unknown as Call, ['initialHiddenState'], gruCell(call.attributes))),
  row('gruCell', (call) => compileCell(call as unknown as Call, ['hiddenState'], gruCell(call.attributes))),
  row('lstm', (call) =>
    compileNetwork(call as unknown as Call, ['initialHiddenState', 'initialCellState'], lstmCell(call.attributes)),
  ),
  row('lstmCell', (call) =>
    compileCell(call as unknown as Call, ['hiddenState', 'cellState'], lstmCell(call.attributes)),
  ),
];
