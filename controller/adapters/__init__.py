"""Where bytes, screens, files and brokers meet the engine."""
