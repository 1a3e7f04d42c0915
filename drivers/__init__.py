"""Drivers of table hardware: they know bytes, never the game."""
