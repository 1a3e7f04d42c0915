"""Screens of the tables: they know scenes, never the game."""
