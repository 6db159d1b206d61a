"""Python's half of the scripts that run models in a page or in Node."""
