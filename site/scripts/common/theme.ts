/** Light or dark theme: the visitor's choice, else the system's preference. */

/** Themes; `auto` follows the system. */
export type Theme = 'auto' | 'light' | 'dark';

// Typedoc's, which the API pages read, and their name for `auto`.
const [STORAGE_KEY, SYSTEM] = ['tsd-theme', 'os'];

/** The stored theme; `auto` if the browser stores none. */
export function rememberedTheme(): Theme {
  try {
    const theme = localStorage.getItem(STORAGE_KEY);
    return theme === 'light' || theme === 'dark' ? theme : 'auto';
  } catch {
    return 'auto';
  }
}

/** Stores the theme for other pages and visits. */
function rememberTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme === 'auto' ? SYSTEM : theme);
  } catch {
    // Without storage, the choice applies to this page only.
  }
}

/** Applies a theme; site.css has the colours. */
export function showTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Lets the visitor choose a theme, and follows the choice in other tabs. */
export function offerThemes(select: HTMLSelectElement): void {
  const followMemory = () => {
    select.value = rememberedTheme();
    showTheme(rememberedTheme());
  };
  select.addEventListener('change', () => {
    rememberTheme(select.value as Theme);
    showTheme(select.value as Theme);
  });
  addEventListener('storage', followMemory);
  // A page restored from the back/forward cache has missed storage events.
  addEventListener('pageshow', ({ persisted }) => persisted && followMemory());
  select.value = rememberedTheme();
}
