/** Runs before the first paint: modules run later, and the wrong theme would flash. */

import { rememberedTheme, showTheme } from '../scripts/common/theme.js';

showTheme(rememberedTheme());
