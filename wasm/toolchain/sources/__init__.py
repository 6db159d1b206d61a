"""Third-party sources: the components (registry), their two origins, and the files to keep (selection)."""
