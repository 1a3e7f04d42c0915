"""Every amount that people see can be asked how it came about: its address, and a trace that adds up to the micro."""
