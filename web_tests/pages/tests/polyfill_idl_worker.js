// @ts-check

/** A classic worker that has imported the polyfill: receives the address of a script, and posts the problems it finds. */
addEventListener('message', ({ data: address }) => {
  const problems = async () => {
    await webnnPolyfill.ready;
    const script = await (await fetch(address)).text();
    return new Function(`${script}; return tests.problems();`)();
  };
  problems().then(postMessage, (error) => postMessage(String(error)));
});
