"""One state machine for each game, driven by what the hardware and the people report."""
