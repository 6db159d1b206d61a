"""Third-party sources: what is needed (registry), where it comes from (two origins), what is kept (selection)."""
