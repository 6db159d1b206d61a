"""Makes the static site: pages.toml, templates, styles and scripts become a folder that any static host serves."""
