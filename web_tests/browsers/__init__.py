"""The browsers for tests and tools: finds, installs and starts them."""
