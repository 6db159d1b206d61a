"""What the tools share that run models in a browser: the choice of it, a measurement, how both are printed."""
