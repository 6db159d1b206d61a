"""The profile of Hypothesis for many nodes: `--hypothesis-profile=campaign`."""

from hypothesis import settings

settings.register_profile("campaign", max_examples=20_000)
