"""The carousel's messages between machines: wire form, MQTT, the same process, the broker's rules."""
