// The first script of each page: keeps what nobody catches, for drivers that have no event for it (WebDriver). Scripts
// that do not load report to their element only, so errors are seen on their way down.
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
