"""Copies unread bodies from one file to another: their records stay the same except for the numbers in them."""
