// How the glue of a module with threads starts its workers, in place of Emscripten's own way: the worker's address is
// not written inside `new Worker()`. Bundlers treat that form as an entry of its own, which they would bundle once more
// and in their own format, and some reject it. This form they treat as a file next to the script, which it is.
LibraryManager.library['$PThread'].allocateUnusedWorker = () => {
  var url = new URL('{{{ TARGET_JS_NAME }}}', import.meta.url);
  var options = { type: 'module', workerData: 'em-pthread', name: 'em-pthread' };
  PThread.unusedWorkers.push(new Worker(url, options));
};

// Emscripten's Atomics.waitAsync() is for messages to the thread that created the module, and none of these programs
// sends any. It would keep the module and its memory for ever; without it, messages come by postMessage().
LibraryManager.library._emscripten_thread_mailbox_await = (thread) => {};
