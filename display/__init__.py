"""Screens for players: typed scenes, the feed that carries them and the pages that draw them."""
