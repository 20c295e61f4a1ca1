"""Bongard-LOGO for language models."""

from cogkit.extras.models.bongard.concepts import INTERVIEW as INTERVIEW
