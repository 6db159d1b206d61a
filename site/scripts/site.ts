/** Runs on every page: offers the themes, and isolates the page if its row in pages.toml asks for that. */

import { byId } from './common/dom.js';
import { isolated } from './common/isolation.js';
import { offerThemes } from './common/theme.js';

offerThemes(byId('theme-choice', HTMLSelectElement));
void isolated();
