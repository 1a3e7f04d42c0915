"""Entries that cannot be unsaid: stores, chain, checkpoints, snapshots, backup, verify."""
