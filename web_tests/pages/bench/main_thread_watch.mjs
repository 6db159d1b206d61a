// Browsers do not call nested timers more often.
const PERIOD_MS = 4;

/**
 * Measures how long the page's thread is busy at a time.
 *
 * @returns A function that stops and returns the longest delay of a timer, in milliseconds, and the
 *   durations of the browser's own "long tasks", those of 50 ms and more.
 */
export function watchMainThread() {
  const longTasksMs = [];
  const add = (entries) => longTasksMs.push(...entries.map(({ duration }) => duration));
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: 'longtask' });
  let last = performance.now();
  let longestWaitMs = 0;
  const look = () => {
    const now = performance.now();
    longestWaitMs = Math.max(longestWaitMs, now - last - PERIOD_MS);
    last = now;
  };
  const timer = setInterval(look, PERIOD_MS);
  return () => {
    look();
    clearInterval(timer);
    add(observer.takeRecords());
    observer.disconnect();
    return { longestWaitMs, longTasksMs };
  };
}
