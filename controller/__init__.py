"""Carrusel: the controller that knows the tables, their jackpots and their money."""
