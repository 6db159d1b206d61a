/** The script of the helper worker of blocking mode: the package's webnn_helper.mjs. It exports nothing. */

import { AnswerBox } from './blocking/answer_box.js';
import type { HelperGreeting } from './blocking/blocking_helper.js';
import { Helper } from './blocking/helper.js';
import { listen } from './blocking/helper_port.js';
import type { HelperRequest } from './blocking/protocol.js';

let helper: Helper | null = null;

listen((message) => {
  if (helper !== null) return helper.take(message as HelperRequest);
  const box = new AnswerBox((message as HelperGreeting).answers);
  helper = new Helper(box);
  box.put({ kind: 'done' });
});
