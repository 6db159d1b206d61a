/** What every page does: it lets the visitor choose a theme, and becomes isolated where its row in pages.toml asks for that. */

import { byId } from './common/dom.js';
import { isolated } from './common/isolation.js';
import { offerThemes } from './common/theme.js';

offerThemes(byId('theme-choice', HTMLSelectElement));
void isolated();
