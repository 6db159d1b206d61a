"""Generates the static site from pages.toml, templates, styles and scripts."""
