"""Shared by the tools that run models in a browser: the choice of the browser, a measurement, printing."""
