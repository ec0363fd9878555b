"""Requests of modules: chosen, attached, checked, listed."""
