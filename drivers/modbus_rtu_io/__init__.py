"""Inputs and outputs on Modbus RTU modules (Waveshare Modbus RTU IO 8CH and other maps)."""
