"""Serial devices: bytes in, events out; nothing here knows seats, bets or games."""
