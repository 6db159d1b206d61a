/** Light or dark: what the visitor chose on any page, else what their system asks for. */

/** What can be chosen; `auto` is the system's. */
export type Theme = 'auto' | 'light' | 'dark';

const STORAGE_KEY = 'tflite-webnn-theme';

/** What was chosen the last time; `auto` too where a browser keeps nothing for this site. */
export function rememberedTheme(): Theme {
  try {
    const theme = localStorage.getItem(STORAGE_KEY);
    return theme === 'light' || theme === 'dark' ? theme : 'auto';
  } catch {
    return 'auto';
  }
}

/** Keeps the choice for other pages and visits. */
export function rememberTheme(theme: Theme): void {
  try {
    if (theme === 'auto') localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // A browser that keeps nothing shows this page as it was chosen, and the next one in the system's way.
  }
}

/** Shows the page so; site.css has the rest. */
export function showTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Lets the visitor choose, and follows what they choose in other tabs. */
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
  // A page to which one goes back has not heard of what was chosen meanwhile.
  addEventListener('pageshow', ({ persisted }) => persisted && followMemory());
  select.value = rememberedTheme();
}
