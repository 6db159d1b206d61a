// The helper worker of blocking mode in a browser with a fault: `?trouble=["loseDuring",["MLContext","dispatch",1]]` is
// a function of troubles.mjs and its arguments, called before the helper begins. A message on the channel "troubles"
// does so later.
import './troubled_helper_setup.mjs';
import '/package/webnn_helper.mjs';
