// Runs before the helper's own script, for faulty_helper.mjs.
import * as faultInjection from './fault_injection.mjs';

const inject = ([name, args]) => faultInjection[name](...args);

faultInjection.watch();
const first = new URL(self.location.href).searchParams.get('fault');
if (first !== null) inject(JSON.parse(first));

const channel = new BroadcastChannel('fault_injection');
channel.onmessage = ({ data }) => {
  inject(data);
  channel.postMessage('done');
};
