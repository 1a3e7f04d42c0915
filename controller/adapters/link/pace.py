"""How often the ends of a link speak, and how long they wait for a word."""

BEAT_S = 1.0
"""How often a host says that it serves, and both ends repeat what is unanswered."""
SILENCE_S = 5.0
"""After this long without a word of the serving host, a table takes the link for lost (rule 7)."""
UNPROVEN_S = 30.0
"""Beats that for so long answer no start of the table are refused by name: before, its birth may be on its way."""
