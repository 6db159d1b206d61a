"""The plugin of all tests, wherever in the project they are."""

pytest_plugins = ["tools.suite.plugin"]
