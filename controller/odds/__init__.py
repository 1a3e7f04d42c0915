"""Probabilities, returns and the path of a meter: exact counts, and simulation where counting does not answer."""
