"""The locks of the Python packages, and what writes them."""
