// Runs before the helper's own script, for troubled_helper.mjs.
import * as troubles from './troubles.mjs';

const bring = ([name, args]) => troubles[name](...args);

troubles.watch();
const first = new URL(self.location.href).searchParams.get('trouble');
if (first !== null) bring(JSON.parse(first));

const channel = new BroadcastChannel('troubles');
channel.onmessage = ({ data }) => {
  bring(data);
  channel.postMessage('done');
};
