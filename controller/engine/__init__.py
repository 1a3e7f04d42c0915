"""Decisions: tables, carousel members and hosts as event-sourced machines without I/O."""
