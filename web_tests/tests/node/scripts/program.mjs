// @ts-check

/**
 * Calls a function of a script of this directory, and prints its result as JSON, for programs.py. A separate process each
 * time: it must also end by itself while threads of its models live.
 */

const [script, name = '', values = ''] = process.argv.slice(2);
const { [name]: call } = await import(new URL(`${script}.mjs`, import.meta.url).href);
console.log(JSON.stringify(await call(...JSON.parse(values))));
