"""The plugins of all the project's tests."""

pytest_plugins = ["tools.suite.plugin", "tools.suite.browsers", "tools.suite.typescript"]
