"""What must be true of any set of journals: of simulated nodes and of real daemons alike."""
