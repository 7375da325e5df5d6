"""Players' devices and the push messages to them (Web Push)."""
