"""`build.py test`: what each test needs, the tiers that follow from it, and how pytest is run."""
