// The first script of each page: keeps uncaught errors, for drivers without an event for them (WebDriver). Scripts that
// fail to load report only to their element, so the listener captures.
window.uncaughtErrors = [];
addEventListener(
  'error',
  ({ message, target }) => {
    const text = message ?? `${target.src ?? target.href ?? target} does not load`;
    window.uncaughtErrors.push(text);
  },
  true,
);
addEventListener('unhandledrejection', ({ reason }) => {
  window.uncaughtErrors.push(String(reason));
});
