"""What other systems of the floor subscribe to: alarms and facts, by MQTT and webhook."""
