"""Device events become what happened at a table."""
