"""The models: real and generated ones, and their inputs."""
