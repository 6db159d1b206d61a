"""The plugin of all the project's tests."""

pytest_plugins = ["tools.suite.plugin"]
