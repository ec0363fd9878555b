"""What modules ask for: chosen, attached, checked, told."""
