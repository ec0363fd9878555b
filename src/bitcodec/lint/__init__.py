"""Linters."""
