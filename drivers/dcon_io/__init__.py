"""Inputs, counters and outputs on DCON modules (ICP DAS I-7050, ADAM-4050, CB-7050)."""
