"""What every step needs: paths, errors, commands, the user cache, the console and downloads."""
