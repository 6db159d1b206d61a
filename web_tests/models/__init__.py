"""The models: real ones, ones that our code writes, and their inputs."""
