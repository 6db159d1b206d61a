"""How the time of loading, explaining and reading grows with what a file or an image says."""
