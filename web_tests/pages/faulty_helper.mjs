// The helper worker of blocking mode in a browser with an injected fault:
// `?fault=["loseDuring",["MLContext","dispatch",1]]` is a function of fault_injection.mjs and its arguments, called
// before the helper begins. A message on the channel "fault_injection" does so later.
import './faulty_helper_setup.mjs';
import '/package/webnn_helper.mjs';
