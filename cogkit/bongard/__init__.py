"""Bongard-LOGO (Nie et al. 2020): concepts in pictures drawn by programs."""
