"""Progressive broadcasts of slot machines, encoder and decoder; there is no driver."""
