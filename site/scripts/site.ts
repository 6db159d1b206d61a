/** What every page does: it becomes cross-origin isolated, where its row in pages.toml asks for that. */

import { isolated } from './common/isolation.js';

void isolated();
