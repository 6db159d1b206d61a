/** Runs before anything of a page is drawn: modules come too late for that, and the wrong theme would flash. */

import { rememberedTheme, showTheme } from '../scripts/common/theme.js';

showTheme(rememberedTheme());
