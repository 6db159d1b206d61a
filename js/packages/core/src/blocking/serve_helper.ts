/** What the helper worker of blocking mode does, in whichever script it is. */

import type { PageWebnn, WebnnUnavailable } from '../webnn/webnn_context.js';
import type { HelperGreeting } from './blocking_helper.js';
import { Helper } from './helper.js';
import { listen } from './helper_port.js';
import type { ContextWish, HelperRequest } from './helper_protocol.js';
import { Mailbox } from './mailbox.js';

/**
 * Answers the thread that has started this worker.
 *
 * @param open - Makes a context; without it as chooseWebnn() does.
 */
export function serveHelper(open?: (wish: ContextWish) => Promise<PageWebnn | WebnnUnavailable>): void {
  let helper: Helper | null = null;
  listen((message) => {
    if (helper !== null) return helper.take(message as HelperRequest);
    const box = new Mailbox((message as HelperGreeting).answers);
    helper = new Helper(box, open);
    box.put({ kind: 'done' });
  });
}
