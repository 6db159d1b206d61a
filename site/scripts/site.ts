/**
 * Runs on every page, whose script imports it: offers the themes, isolates the page if its row in pages.toml requests
 * that, and keeps it for visits without a network.
 */

import { byId } from './common/dom.js';
import { isolated } from './common/isolation.js';
import { keepForOffline } from './common/offline.js';
import { offerThemes } from './common/theme.js';

const KEEP_AFTER_MS = 3000;

offerThemes(byId('theme-choice', HTMLSelectElement));
void isolated();
addEventListener('load', keepWhenIdle);

/** Not while the page loads or computes: what it needs comes first. */
function keepWhenIdle(): void {
  setTimeout(() => {
    if (document.querySelector('[data-kind=busy]')) keepWhenIdle();
    else void keepForOffline();
  }, KEEP_AFTER_MS);
}
